"""Rules about what an answer says: its sources, other people's data, what an exception means, the form."""

from functools import lru_cache

from reviewer.demo.rules.reading import IDLE, NOT, any_of, has, said, sentences

_CITE = (
    r"\b(?:cit(?:e|es|ing|ed|ations?)|quot(?:e|es|ing)|sources?|refer(?:ence"
    r"|ences|s|ring)?|links?|point (?:people |customers |the customer )?to"
    r"|name (?:a |only )?(?:page|section|source)s?|sections?|pages?"
    r"|mention)\b"
)
_FOUND = (
    r"\b(?:retrieved?|retrieval|found|provided|given|supplied|returned"
    r"|listed|handed|search results?|results? of (?:the|your) search"
    r"|in (?:the|your) (?:context|results?|documents?)|passed to you"
    r"|you (?:have |were |actually )?(?:received|got|read|been given"
    r"|shown|see)|above|below|attached|came back|we give you|shown to you"
    r"|documents? (?:you|we))\b"
)


@lru_cache(maxsize=256)
def cites_only_found(text: str) -> bool:
    """Whether a source is named only when the search brought it."""
    ways = (
        (_CITE, r"\b(?:only|solely|exclusively|nothing (?:but|except|beyond|else)|no other|strictly|just)\b", _FOUND),
        (
            _CITE,
            NOT,
            (
                r"\b(?:not|isn'?t|wasn'?t|weren'?t|aren'?t|unless|outside|other than"
                r"|beyond|except|missing from|absent from|without)\b.*"
            )
            + _FOUND,
        ),
        (_CITE, r"\bunless\b.*" + _FOUND, NOT),
        (
            r"\b(?:invent|make up|made[- ]up|imagine|fabricate|guess)\w*\b",
            NOT,
            r"\b(?:sources?|sections?|pages?|citations?|references?|titles?|paragraphs?|links?)\b",
        ),
        (_CITE, r"\b(?:must|has to|have to|needs? to)\b.*\b(?:appear|be|come|stand|occur|exist)\b.*" + _FOUND),
        (r"\bif\b.*\b(?:no|nothing|none)\b.*" + _FOUND, r"\b(?:no|without|do not|don't|leave out|omit)\b[^,]*" + _CITE),
    )
    spoilt = (
        r"\bcustomer'?s own words\b",
        r"\bnever (?:forget|fail|omit)\b",
        r"\bonly (?:when|if) (?:asked|the customer asks)\b",
        r"\byou may (?:also )?(?:cite|quote|name)\b.*\bnot\b",
        r"\beven if\b",
        r"\bat least\b",
    )
    undone = (
        (
            r"\b(?:may|can|feel free to) (?:also )?(?:cite|quote|name|refer to)\b.*\b(?:not"
            r"|weren'?t|wasn'?t|without|from memory)\b"
        ),
        r"\bcite (?:from memory|what you remember)\b",
    )
    return said(text, ways, spoilt=spoilt, undone=undone)


_PRIVATE = (
    r"\b(?:e-?mail(?: address(?:es)?)?s?|mail address(?:es)?|contact (?:details"
    r"|data|information)|personal (?:data|details|information)|private (?:data"
    r"|details|information)|address(?:es)?|phone numbers?|customer data"
    r"|identity|identities)\b"
)
_REVEAL = (
    r"\b(?:shar(?:e|ing)|reveal(?:ing)?|disclos(?:e|ing)|giv(?:e|ing)"
    r"|tell(?:ing)?|show(?:ing)?|writ(?:e|ing)|mention(?:ing)?|pass(?:ing)?"
    r"|expos(?:e|ing)|includ(?:e|ing)|repeat(?:ing)?|print(?:ing)?"
    r"|quot(?:e|ing)|stat(?:e|ing)|hand(?:ing)?|put(?:ting)?|leak(?:ing)?"
    r"|nam(?:e|ing)|output|contain|appear|hint at|spell)\b"
)
_OTHERS = (
    r"\b(?:others?|another|someone else|somebody else|third part(?:y"
    r"|ies)|recipients?|senders?|buyers?|purchasers?|givers?|anyone but"
    r"|anybody (?:but|except)|other than|people|persons?|customers?"
    r"|anyone|anybody|whoever|who (?:paid|bought|sent|ordered))\b"
)


@lru_cache(maxsize=256)
def keeps_private(text: str) -> bool:
    """Whether other people's addresses stay out of the answer."""
    ways = (
        (rf"{NOT}[^.]*?{_REVEAL}[^.]*?{_PRIVATE}",),
        (
            (
                rf"{_PRIVATE}[^.]*?{NOT}[^.]*?(?:{_REVEAL}|\bleave\b|\bbelong|\bin (?:the"
                rf"|an|any|your) (?:answer|reply|message))"
            ),
        ),
        (
            r"\b(?:mask|redact|hide|leave out|withhold|remove|omit|strip|blank out|black out|drop|suppress|censor)\b",
            _PRIVATE,
        ),
        (
            r"\b(?:keep|treat|stays?|remains?|are|is)\b",
            _PRIVATE,
            r"\b(?:private|confidential|secret|to yourself|out of|off limits|taboo)\b",
        ),
        (
            r"\bonly\b",
            _REVEAL,
            _PRIVATE,
            r"\b(?:own|of the (?:customer|person) (?:you|who)|belongs? to the (?:customer|person))\b",
        ),
        (rf"{NOT}[^.]*?{_REVEAL}[^.]*?\bwho (?:paid|bought|sent|ordered)\b",),
    )
    spoilt = (
        rf"{NOT} (?:mask|redact|hide|leave out|withhold|remove|omit|strip|drop)\b",
        r"\b(?:ask|asking|request|verify|collect|store|save) (?:for )?[^.]*?e-?mail",
        r"\bunless\b(?! .*\b(?:own|theirs|law|themselves)\b)",
        r"\bsend(?:ing)? e-?mails\b",
        r"\bshop'?s (?:e-?mail|address|contact)\b",
        r"\bour (?:own )?(?:e-?mail|address|contact|phone)\b",
        r"\bdelivery address\b",
        r"\binternal\b",
        r"\bdiscount\b",
        r"\bwithout (?:the customer )?asking\b",
    )
    undone = (
        (
            rf"(?:^|\b(?:you may|you can|always|gladly|please|and|then|do)) (?:share"
            rf"|give|tell|reveal|pass on|name|mention) [^.]*{_PRIVATE}[^.]*\b(?:sender"
            rf"|buyer|giver|purchaser|other customer)"
        ),
    )
    return said(text, ways, spoilt=spoilt, undone=undone)


@lru_cache(maxsize=256)
def lost_reading(text: str) -> str:
    """How a delivery exception is understood: "reason" (read why), "lost" (told to say so) or "guess"."""
    reading = "guess"
    exception = (
        r"\b(?:exceptions?|delivery problems?|problem(?:s)? with (?:the"
        r"|a) (?:delivery|parcel)|delays?|late|stuck|held up)\b"
    )
    lost = r"\b(?:lost|gone|missing|vanished)\b"
    for line in sentences(text):
        if any_of(line, (IDLE,)):
            continue
        careful = has(
            line,
            (
                rf"\b(?:only|never|do not|don'?t|must not|not|no (?:parcel|order"
                rf"|package)s?|before)\b[^.]*{lost}|{lost}[^.]*\b(?:only|unless"
                rf"|until|except)\b"
            ),
        ) and has(
            line,
            (
                r"\b(?:reason|courier|status|system|says?|said|confirm(?:s|ed)?"
                r"|states?|reports?|tool|order data|result|written)\b|\b(?:mere(?:ly)?"
                r"|just|only) (?:delay|late)"
            ),
        )
        careful = careful and not has(
            line,
            (
                r"\b(?:do not|don'?t|never) (?:hesitate|wait|forget|hide|deny)\b"
                r"|\bnot only\b|\bnot (?:just|merely) (?:lost|late|delayed)|\bno (?:matter"
                r"|doubt)\b|\b(?:do not|don'?t|never) (?:check|read|look|mention (?:the"
                r"|a) reason)"
            ),
        )
        explains = (
            has(line, exception)
            and has(line, r"\b(?:reason|new[_ ]eta|new (?:delivery )?date|why|cause|expected (?:day|date)|eta)\b")
            and has(
                line,
                (
                    r"\b(?:read|find|look|give|tell|say|explain|check|state|name|report"
                    r"|pass on|quote|mention|use|include|share)\b"
                ),
            )
            and not has(
                line, rf"{NOT} (?:read|find|look|give|tell|say|explain|check|state|name|report|mention|include|bother)"
            )
        )
        careful = careful or has(line, rf"\bnot (?:mean |meant )?(?:that )?(?:\w+ ){{0,3}}{lost}")
        means_lost = has(line, exception, lost) and not careful
        if means_lost:
            return "lost"
        if careful or (explains and not has(line, lost)):
            reading = "reason"
    return reading


@lru_cache(maxsize=256)
def only_json(text: str) -> bool:
    """Whether the form comes as JSON and nothing else."""
    json = r"\b(?:json|\{|braces?)\b|\{"
    ways = (
        (
            json,
            (
                r"\b(?:only|nothing (?:but|else|more|other)|solely|exclusively"
                r"|no other|just|alone|bare|purely|raw|pure|strictly)\b"
            ),
        ),
        (
            json,
            (
                rf"(?:{NOT}|\bleave out\b|\bomit\b|\bfree of\b)[^.]*\b(?:text|prose"
                rf"|comment(?:s|ary)?|words?|explanations?|fences?|markdown|around"
                rf"|before|after|introduction|greetings?|sentences?|remarks?|anything"
                rf"|code blocks?|chatter|preamble)\b"
            ),
        ),
        (
            r"\b(?:output|answer|reply|response|result|whole)\b",
            json,
            r"\b(?:must|has to|shall|should|needs? to)\b",
            r"\b(?:parse\w*|valid|be (?:a |one )?(?:single )?json|start|begin)\b",
        ),
        (r"\b(?:start|begin|first character|open)\w*\b", r"\{|brace", r"\b(?:end|last character|close)\w*\b"),
        (
            r"\b(?:a|one) (?:single|valid|bare) json object\b",
            r"\b(?:return|answer|reply|output|write|respond|produce|emit|is)\b",
        ),
        (
            r"\b(?:parser|machine|program|script|json\.parse|json\.loads)\b",
            json,
            r"\b(?:fail|break|reads?|parse|directly|choke)\w*\b",
        ),
    )
    spoilt = (
        (
            r"\b(?:do not|don'?t|never|avoid|no|not) (?:\w+ )?(?:use |write "
            r"|return |answer (?:in|with) |in )?json\b"
        ),
        r"\bjson (?:keys?|field names?|values?|numbers?|indentation)\b",
        r"\bif (?:asked|possible|the customer asks)\b",
        r"\bmay (?:use|be)\b",
        r"\b(?:xml|yaml) only\b",
        (
            r"\b(?:explain|introduc\w+|describe|follow\w*)\b[^.]*\b(?:json"
            r"|form)\b(?![^.]*\b(?:not|no|never|without)\b)(?<!not )"
        ),
        r"\bcan (?:be|use)\b",
        r"\bwhen(?:ever)? (?:you like|asked)\b",
        r"\bprefer(?:ably|red)?\b",
        r"\btry to\b",
    )
    undone = (
        (
            r"(?<!not )(?<!n't )(?<!never )\b(?:add|write|include|put)\b (?:a "
            r"|one |some )?(?:short |friendly |kind )*(?:sentence|note|explanation"
            r"|greeting|introduction|summary)s?\b[^.]*\b(?:before|after|around"
            r"|with|below|above)\b"
        ),
    )
    return said(text, ways, spoilt=spoilt, undone=undone)
