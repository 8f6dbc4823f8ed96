"""A player in forty lines, by mail alone: it answers each letter in a Maildir that asks for its move."""

import mailbox
import re
import smtplib
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import make_msgid

ASKED = re.compile(r'Answer\s+with\s+your\s+move,\s+such\s+as\s+"([^"]+)"')


def answer(letter, address):
    """Make a reply with the move that the letter gives as an example, or None if it asks for no move."""
    found = ASKED.search(letter.get_body(("plain",)).get_content())
    if found is None:
        return None
    reply = EmailMessage()
    reply["From"], reply["To"] = address, letter["Reply-To"]
    reply["Subject"], reply["Message-ID"] = f"Re: {letter['Subject']}", make_msgid(domain="localhost")
    reply["In-Reply-To"] = letter["Message-ID"]
    reply.set_content(found[1])
    return reply


def play(folder, address, send):
    """Send an answer to each letter that asks for one, and then remove the letter."""
    box = mailbox.Maildir(folder)
    for key in box.iterkeys():
        if reply := answer(message_from_bytes(box.get_bytes(key), policy=policy.default), address):
            send(reply)
        box.discard(key)


if __name__ == "__main__":  # ~/Maildir ada@example.org
    with smtplib.SMTP("localhost") as server:
        play(*sys.argv[1:], server.send_message)
