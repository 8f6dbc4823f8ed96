// A Cloudflare Email Worker that hands every mail to pbem, signed; see README.md beside it.
// Variables: PBEM_URL (https://games.example.org/mail/signed), and the secret PBEM_WEBHOOK_KEY.

const MOST = 1024 * 1024; // bytes; PBEM_MAX_MAIL

async function signature(key, head, raw) {
  const text = new TextEncoder();
  const start = text.encode(head);
  const signed = new Uint8Array(start.length + raw.byteLength);
  signed.set(start);
  signed.set(new Uint8Array(raw), start.length);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", text.encode(key), algorithm, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function post(mail, env, now) {
  const raw = await new Response(mail.raw).arrayBuffer();
  const at = String(Math.floor(now / 1000));
  const sender = encodeURIComponent(mail.from);
  const recipient = encodeURIComponent(mail.to);
  return new Request(env.PBEM_URL, {
    method: "POST",
    body: raw,
    headers: {
      "Content-Type": "message/rfc822",
      "X-PBEM-Timestamp": at,
      "X-PBEM-Sender": sender,
      "X-PBEM-Recipient": recipient,
      "X-PBEM-Signature": await signature(env.PBEM_WEBHOOK_KEY, `${at}\n${sender}\n${recipient}\n`, raw),
    },
  });
}

export default {
  async email(mail, env) {
    if (mail.rawSize > MOST) {
      mail.setReject("The mail is too large");
      return;
    }
    const answer = await fetch(await post(mail, env, Date.now()));
    if (answer.status !== 200) {
      throw new Error(`pbem answered ${answer.status}`); // not handed over: the sender's server tries again
    }
    if ((await answer.text()).startsWith("kept 0,")) {
      mail.setReject("No such mailbox here");
    }
  },
};
