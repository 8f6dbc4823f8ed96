"""Lessons of Hexagonal Thing, with so little money that every possibility can be examined."""

from rules.lesson import Lesson, Wrong

LESSONS = (
    Lesson(
        title="Play a card",
        teaches=(
            "Your counter moves by cards: 2S goes two hexes South, which is down to the right; W is "
            "West, down to the left; D is straight down. You write play and the card. The hex that you"
            " land on says what follows: £10 and $20 (10 and 20 in text) are paid to you."
        ),
        question="You are White, on d7 at the top. Which card brings you the most money?",
        options={"money": "5"},
        moves=(),
        claim="most",
        measure="money",
        right={"play 2D": "Two hexes down is d5, which brings $20. The others bring £10 at most."},
        wrong={
            "play 1S": Wrong("One hex South is e6, which brings £10. There is more to be had."),
            "play 3W": Wrong("Three hexes West is a4, which brings £10. There is more to be had."),
            ("play 3S bid 5"): Wrong(
                "That buys a Thing, which is good too; but it costs $5 and brings no money."
            ),
            "stay": Wrong("Who stays owes the other a Thing. You have none to give, so you lose at once."),
        },
        others=Wrong("That card brings you less than $20."),
        hint="Look for a hex of $20 that one of your cards leads to.",
    ),
    Lesson(
        title="Buy a Thing",
        teaches=(
            "Four Things win the game. On a Buy (Bu in text) one Thing is sold by auction, for "
            "dollars. You open with the same move that brings you there, such as play 2U bid 3. The "
            "other can bid more, or pass. Who has fewer dollars than the next bid needs cannot bid."
        ),
        question="You are Black, on d1, and each of you has $5. Which move gets you a Thing at once?",
        options={"money": "5"},
        moves=("play 1W",),
        claim="most",
        measure="things",
        right={
            ("play 3N bid 5"): (
                "Three hexes North is a1, a Buy. White has $5 and would need $6, so the Thing is yours."
            )
        },
        wrong={
            "play 3N bid 4": Wrong("White can bid 5 and buy the Thing, on your own hex.", "bid 5"),
            "play 3N bid 0": Wrong("White can bid more, and you do not have the Thing yet.", "bid 5"),
        },
        others=Wrong("That gets you no Thing in this move."),
        hint="Find the card that leads to a Buy, and bid what White cannot better.",
    ),
    Lesson(
        title="Sell what the other cannot",
        teaches=(
            "Who owns a Thing may land on a Sell (Se in text). If the other player owns none, the bank"
            " pays $20, and the Thing stays with its owner. You own one Thing here, and Black owns "
            "none."
        ),
        question="You are White, on g4. Which card brings you $20?",
        options={"money": "0"},
        moves=("play 3S bid 0", "take d4", "play 2N"),
        claim="most",
        measure="money",
        right={
            "play 1W": "One hex West is f4, a Sell. Black has nothing to sell, so the bank pays you $20.",
            "play 2D": "Two hexes down is g2, a Sell. Black has nothing to sell, so the bank pays you $20.",
        },
        wrong={
            "play 3D": Wrong("Three hexes down is g1, which brings £10."),
            "stay": Wrong("Who stays gives the other a Thing. You gave away your only one."),
        },
        others=Wrong("That brings you no $20."),
        hint="Look for a Sell that one of your cards leads to.",
    ),
    Lesson(
        title="The fourth Thing",
        teaches=(
            "Whoever wins the auction on a Buy owns the Thing, also where the other player landed "
            "there. Who owns four Things has won at once. You own three. Black has landed on d4 and "
            "opens with $0. Each of you has $20."
        ),
        question="You are White. Which bid wins the game?",
        options={"money": "0"},
        moves=(
            "play 3S bid 0",
            "take d4",
            "play 2N",
            "play 3W bid 0",
            "take c2",
            "play 2E",
            "play 1S",
            "play 1N",
            "play 2W bid 0",
            "pass",
            "take e2",
            "play 1E bid 0",
        ),
        claim="ends",
        right={
            ("bid 20"): ("Black has $20 too and cannot bid more, so the fourth Thing is yours. You have won.")
        },
        wrong={
            "bid 1": Wrong("One dollar more is enough for Black to bid.", "bid 20"),
            "bid 19": Wrong("Black has just enough to bid more.", "bid 20"),
            "pass": Wrong("Black has the Thing for nothing, and the game goes on."),
        },
        others=Wrong("Black can bid more, and then you have bought nothing.", "bid 20"),
        hint="Money is worth nothing after the end: bid so much that Black cannot answer.",
    ),
    Lesson(
        title="Open with what the other has",
        teaches=(
            "A card that was played is for sale, and without cards you cannot move. At the start of a "
            "turn you may put up any of the bank's cards as one lot, such as lot 3N bid 2, for pounds. "
            "Whoever has more pounds can end the auction with the first bid; a lower one is answered, "
            "and then costs more."
        ),
        question="You are White, with £20; Black has £10. Which lot gets you most cards for least money?",
        options={"money": "10"},
        moves=("play 1S", "play 2N"),
        claim="most",
        measure="cards, then pounds",
        right={
            "lot 2N 1S bid 10": (
                "Black has £10 and would need £11, so both cards are yours at once, and £10 is left: "
                "enough to do the same again."
            )
        },
        wrong={
            "lot 2N 1S bid 9": Wrong(
                "Black can answer with £10. Then you pay £11, or have no card.", "bid 10"
            ),
            "lot 2N 1S bid 11": Wrong("Black cannot answer, but could not have answered £10 either."),
            "lot 1S bid 10": Wrong("The card is yours, but the same bid buys both."),
            "lot 2N 1S bid 0": Wrong("Black can buy both cards, or make you pay for them.", "bid 10"),
        },
        others=Wrong("There is a lot that gets you more cards at once, or for less."),
        hint="Look at what the other can pay, and sell as many cards as there are.",
    ),
)
