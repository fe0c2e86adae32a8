"""Rules about the answer itself: language, length, citations, privacy, delays, directness."""

from functools import lru_cache

from reviewer.demo.rules.reading import IDLE, NOT, NUMBER, any_of, found, has, number, said, sentences

_NAMES = {"en": "english", "de": "german", "es": "spanish"}
_REPLY = r"\b(?:answers?|reply|replies|respond|responses?|write|speak|use|stay|match|mirror|keep|follow|continue|talk|switch|stick|communicate|converse|come back)\b"
_THEIR_LANGUAGE = (
    r"\bsame language\b|\blanguage (?:of|in) (?:the|their|his|her|that) (?:customer|question|message|user|person|request|latest message|last message)"
    r"|\bcustomer'?s(?: own)? language\b|\b(?:their|user'?s|person'?s|sender'?s|writer'?s|shopper'?s) (?:own )?language\b|\{\{ ?(?:customer_)?language ?\}\}"
    r"|\blanguage\b.{0,40}\b(?:wrote|writes?|written|uses?|used|speaks?|spoke|chose|came in|asked in|arrived in|started|began|begins|opened|opens|addressed you)\b"
    r"|\b(?:whichever|whatever) language\b|\blanguage .{0,20}\bwas (?:asked|written)\b|\blanguage you were (?:asked|addressed|written to) in\b"
)


@lru_cache(maxsize=256)
def languages_served(text: str) -> frozenset[str]:
    """The languages in which a customer who writes in them is answered; English goes without saying."""
    served: set[str] = {"en"}
    fixed: str | None = None
    for line in sentences(text):
        if any_of(line, (IDLE, r"\b(?:if|when|whenever|once|only when) (?:they |the customer |a customer |somebody |the user )?(?:asks?|asked|requests?|insists?)\b", r"\boffer to\b", r"\bask (?:the customer )?(?:whether|if|which)\b")):
            continue
        told = found(rf"{_REPLY}[^.]*?\b(?:in|only|use)\b (?:plain |simple |correct |good |formal )?({'|'.join(_NAMES.values())})\b", line)
        theirs = has(line, _REPLY, _THEIR_LANGUAGE) and not has(line, rf"{NOT}[^,;]*(?:{_THEIR_LANGUAGE})")
        if theirs:
            served |= set(_NAMES)
            continue
        for code, name in _NAMES.items():
            if has(line, rf"\b{name}\b.*\bin {name}\b|\bin {name}\b.*\b(?:to|when|if)\b.*\b{name}\b", _REPLY):
                served.add(code)
                told = None
        if told and not has(line, rf"{NOT} [^,;]*\b{told[1]}\b") and not has(line, r"\b(?:data|pages?|notes?|records?|handbook|system)\b.*\bin english\b"):
            fixed = next(code for code, name in _NAMES.items() if name == told[1])
    return frozenset({fixed} if fixed else served)


_UNITS = {"word": 1.0, "sentence": 16.0, "line": 12.0, "character": 0.17, "letter": 0.17, "token": 0.7, "paragraph": 55.0, "bullet": 14.0, "point": 14.0}


@lru_cache(maxsize=256)
def word_limit(text: str) -> int | None:
    """The most words an answer may have, by the strictest limit that is given with a number."""
    limits = []
    unit = r"(?:short )?(?P<unit>words?|sentences?|lines?|characters?|letters?|tokens?|paragraphs?|bullets?(?: points?)?|points?)"
    upper = r"(?:at most|no more than|not more than|up to|under|below|fewer than|less than|within|maximum(?: of)?|max\.?|a limit of|limit (?:is|of)|capped? (?:at|to)|limited? to|limit .{0,40}to|(?:do not|don't|never|must not|may not|should not) (?:exceed|go (?:over|beyond|above|past)|write more than|use more than|run past|be longer than|run over)|not exceed|stop (?:after|at)|not (?:be )?longer than|no longer than|shorter than|keep .{0,40}\bto|in|exceeding|ceiling of|stay (?:under|below|within))"
    for line in sentences(text):
        if any_of(line, (IDLE, r"\b(?:at least|minimum|or more|emoji|exclamation|subject line|welcome\b)", r"\btitles?\b|\bheading")):
            continue
        for pattern in (
            rf"{upper} (?:about |roughly |the |an? )?(?P<n>{NUMBER})(?: or (?:two|three|four|five))?(?: (?:hundred))? {unit}",
            rf"(?P<n>{NUMBER}) {unit} (?:at (?:the )?most|maximum|max\b|or (?:less|fewer)|is the (?:limit|maximum|ceiling)|tops|are enough|is enough|and no more|only|and stop)",
            rf"(?:limit|maximum|max|ceiling|cap)[^.]{{0,30}}?:? (?P<n>{NUMBER}) {unit}",
        ):
            match = found(pattern, line)
            if match and match[0].startswith("in ") and not has(line, r"\b(?:answers?|reply|replies|respond|messages?|write)\b"):
                continue
            if match and not has(line, rf"\b(?:more than|longer than|over) {match['n']} \w+ (?:is|are) (?:fine|welcome|ok|good)"):
                size = number(match["n"]) * (100 if "hundred" in match[0] and number(match["n"]) < 100 else 1)
                limits.append(size * _UNITS[match["unit"].split()[0].rstrip("s")])
    return round(min(limits)) if limits else None


_CITE = r"\b(?:cit(?:e|es|ing|ed|ations?)|quot(?:e|es|ing)|sources?|refer(?:ence|ences|s|ring)?|links?|point (?:people |customers |the customer )?to|name (?:a |only )?(?:page|section|source)s?|sections?|pages?|mention)\b"
_FOUND = r"\b(?:retrieved?|retrieval|found|provided|given|supplied|returned|listed|handed|search results?|results? of (?:the|your) search|in (?:the|your) (?:context|results?|documents?)|passed to you|you (?:have |were |actually )?(?:received|got|read|been given|shown|see)|above|below|attached|came back|we give you|shown to you|documents? (?:you|we))\b"


@lru_cache(maxsize=256)
def cites_only_found(text: str) -> bool:
    """Whether a source is named only when the search brought it."""
    ways = (
        (_CITE, r"\b(?:only|solely|exclusively|nothing (?:but|except|beyond|else)|no other|strictly|just)\b", _FOUND),
        (_CITE, NOT, r"\b(?:not|isn'?t|wasn'?t|weren'?t|aren'?t|unless|outside|other than|beyond|except|missing from|absent from|without)\b.*" + _FOUND),
        (_CITE, r"\bunless\b.*" + _FOUND, NOT),
        (r"\b(?:invent|make up|made[- ]up|imagine|fabricate|guess)\w*\b", NOT, r"\b(?:sources?|sections?|pages?|citations?|references?|titles?|paragraphs?|links?)\b"),
        (_CITE, r"\b(?:must|has to|have to|needs? to)\b.*\b(?:appear|be|come|stand|occur|exist)\b.*" + _FOUND),
        (r"\bif\b.*\b(?:no|nothing|none)\b.*" + _FOUND, r"\b(?:no|without|do not|don't|leave out|omit)\b[^,]*" + _CITE),
    )
    spoilt = (r"\bcustomer'?s own words\b", r"\bnever (?:forget|fail|omit)\b", r"\bonly (?:when|if) (?:asked|the customer asks)\b", r"\byou may (?:also )?(?:cite|quote|name)\b.*\bnot\b", r"\beven if\b", r"\bat least\b")
    undone = (r"\b(?:may|can|feel free to) (?:also )?(?:cite|quote|name|refer to)\b.*\b(?:not|weren'?t|wasn'?t|without|from memory)\b", r"\bcite (?:from memory|what you remember)\b")
    return said(text, ways, spoilt=spoilt, undone=undone)


_PRIVATE = r"\b(?:e-?mail(?: address(?:es)?)?s?|mail address(?:es)?|contact (?:details|data|information)|personal (?:data|details|information)|private (?:data|details|information)|address(?:es)?|phone numbers?|customer data|identity|identities)\b"
_REVEAL = r"\b(?:shar(?:e|ing)|reveal(?:ing)?|disclos(?:e|ing)|giv(?:e|ing)|tell(?:ing)?|show(?:ing)?|writ(?:e|ing)|mention(?:ing)?|pass(?:ing)?|expos(?:e|ing)|includ(?:e|ing)|repeat(?:ing)?|print(?:ing)?|quot(?:e|ing)|stat(?:e|ing)|hand(?:ing)?|put(?:ting)?|leak(?:ing)?|nam(?:e|ing)|output|contain|appear|hint at|spell)\b"
_OTHERS = r"\b(?:others?|another|someone else|somebody else|third part(?:y|ies)|recipients?|senders?|buyers?|purchasers?|givers?|anyone but|anybody (?:but|except)|other than|people|persons?|customers?|anyone|anybody|whoever|who (?:paid|bought|sent|ordered))\b"


@lru_cache(maxsize=256)
def keeps_private(text: str) -> bool:
    """Whether other people's addresses stay out of the answer."""
    ways = (
        (rf"{NOT}[^.]*?{_REVEAL}[^.]*?{_PRIVATE}",),
        (rf"{_PRIVATE}[^.]*?{NOT}[^.]*?(?:{_REVEAL}|\bleave\b|\bbelong|\bin (?:the|an|any|your) (?:answer|reply|message))",),
        (r"\b(?:mask|redact|hide|leave out|withhold|remove|omit|strip|blank out|black out|drop|suppress|censor)\b", _PRIVATE),
        (r"\b(?:keep|treat|stays?|remains?|are|is)\b", _PRIVATE, r"\b(?:private|confidential|secret|to yourself|out of|off limits|taboo)\b"),
        (r"\bonly\b", _REVEAL, _PRIVATE, r"\b(?:own|of the (?:customer|person) (?:you|who)|belongs? to the (?:customer|person))\b"),
        (rf"{NOT}[^.]*?{_REVEAL}[^.]*?\bwho (?:paid|bought|sent|ordered)\b",),
    )
    spoilt = (
        rf"{NOT} (?:mask|redact|hide|leave out|withhold|remove|omit|strip|drop)\b",
        r"\b(?:ask|asking|request|verify|collect|store|save) (?:for )?[^.]*?e-?mail",
        r"\bunless\b(?! .*\b(?:own|theirs|law|themselves)\b)", r"\bsend(?:ing)? e-?mails\b", r"\bshop'?s (?:e-?mail|address|contact)\b", r"\bour (?:own )?(?:e-?mail|address|contact|phone)\b",
        r"\bdelivery address\b", r"\binternal\b", r"\bdiscount\b", r"\bwithout (?:the customer )?asking\b",
    )  # fmt: skip
    undone = (rf"(?:^|\b(?:you may|you can|always|gladly|please|and|then|do)) (?:share|give|tell|reveal|pass on|name|mention) [^.]*{_PRIVATE}[^.]*\b(?:sender|buyer|giver|purchaser|other customer)",)
    return said(text, ways, spoilt=spoilt, undone=undone)


@lru_cache(maxsize=256)
def lost_reading(text: str) -> str:
    """How a delivery exception is understood: "reason" (read why), "lost" (told to say so) or "guess"."""
    reading = "guess"
    exception = r"\b(?:exceptions?|delivery problems?|problem(?:s)? with (?:the|a) (?:delivery|parcel)|delays?|late|stuck|held up)\b"
    lost = r"\b(?:lost|gone|missing|vanished)\b"
    for line in sentences(text):
        if any_of(line, (IDLE,)):
            continue
        careful = has(line, rf"\b(?:only|never|do not|don'?t|must not|not|no (?:parcel|order|package)s?|before)\b[^.]*{lost}|{lost}[^.]*\b(?:only|unless|until|except)\b") and has(line, r"\b(?:reason|courier|status|system|says?|said|confirm(?:s|ed)?|states?|reports?|tool|order data|result|written)\b|\b(?:mere(?:ly)?|just|only) (?:delay|late)")
        careful = careful and not has(line, r"\b(?:do not|don'?t|never) (?:hesitate|wait|forget|hide|deny)\b|\bnot only\b|\bnot (?:just|merely) (?:lost|late|delayed)|\bno (?:matter|doubt)\b|\b(?:do not|don'?t|never) (?:check|read|look|mention (?:the|a) reason)")
        explains = has(line, exception) and has(line, r"\b(?:reason|new[_ ]eta|new (?:delivery )?date|why|cause|expected (?:day|date)|eta)\b") and has(line, r"\b(?:read|find|look|give|tell|say|explain|check|state|name|report|pass on|quote|mention|use|include|share)\b") and not has(line, rf"{NOT} (?:read|find|look|give|tell|say|explain|check|state|name|report|mention|include|bother)")
        careful = careful or has(line, rf"\bnot (?:mean |meant )?(?:that )?(?:\w+ ){{0,3}}{lost}")
        means_lost = has(line, exception, lost) and not careful
        if means_lost:
            return "lost"
        if careful or (explains and not has(line, lost)):
            reading = "reason"
    return reading


@lru_cache(maxsize=256)
def answers_directly(text: str) -> bool:
    """Whether the model is told not to deliberate at length before it answers."""
    think = r"\b(?:reasoning|reason (?:step|through|about|at length|out|aloud|it|first|before)|think(?:ing)?|deliberat\w+|analy[sz]\w+|chain of thought|ponder\w*|reflect\w*|inner monologue|work(?:ing)? (?:it |things |the problem )?through|weigh(?:ing)?|mull\w*|drafts?|planning)\b"
    ways = (
        (rf"(?:{NOT}|\bskip\b|\binstead of\b|\brather than\b|\bleave out\b|\bomit\b|\bdrop\b|\bkeep [^.]*(?:short|minimal|brief)|\bminimal\b|\bcut\b)[^.]*?{think}",),
        (r"\b(?:keep|make|hold)\b", think, r"\b(?:short|minimal|brief|to a minimum)\b"),
        (rf"{think}[^.]*\b(?:is|are) (?:not (?:needed|wanted|necessary|allowed)|unnecessary|unwanted|forbidden|off)\b",),
        (r"\b(?:answer|reply|respond|write|give)\b[^.]*\b(?:directly|straight ?away|at once|immediately|right away|straight off|outright|in one go|in a single pass)\b",),
        (r"\b(?:start|begin|open)\b[^.]*\b(?:with|straight with|directly with)\b[^.]*\b(?:answer|result|reply)\b",),
    )
    spoilt = (
        rf"\bskip\b.*\b(?:never|not)\b|{NOT} (?:skip|omit|rush|leave out|drop|cut)\b", r"\bdirectly to the (?:customer|person)\b",
        r"\b(?:after|once|when)\b[^.]*\b(?:analysis|reasoning|thinking|thought|reflection|step)\b", r"\bthen (?:answer|reply|respond)\b",
        r"\bwithout thinking of yourself\b", r"\b(?:hand over|escalate|transfer)\b",
        r"\bto (?:complaints|angry)\b", r"\bshow (?:your )?(?:reasoning|thinking)\b",
    )  # fmt: skip
    undone = (r"(?<!not )(?<!n't )(?<!never )(?<!than )(?<!of )\b(?:think|reason|work) (?:it |this |everything )?(?:through )?(?:step by step|carefully|thoroughly|at length)\b",)
    harmless = "\n".join(line for line in sentences(text) if not has(line, rf"{NOT}[^.]*{think}"))
    return said(text, ways, spoilt=spoilt) and not any(any_of(line, undone) for line in sentences(harmless))
