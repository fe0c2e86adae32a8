"""Rules about what is done: refunds, repeated calls, searching, handing over."""

from functools import lru_cache

from reviewer.demo.rules.reading import IDLE, NOT, NUMBER, any_of, found, has, number, said, sentences

_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}


@lru_cache(maxsize=256)
def refund_window(text: str) -> int | None:
    """For how many days after delivery money goes back; None when the text sets no limit."""
    window: int | None = None
    for line in sentences(text):
        if not has(
            line,
            (
                r"\b(?:refund\w*|money back|give back the money|reimburse\w*|pay(?:ing)? (?:\w+ )?back"
                r"|paid back|return the (?:money|price|payment))\b"
            ),
        ):
            continue
        if any_of(
            line,
            (
                IDLE,
                r"\b(?:even|also|still) (?:after|later than|beyond|when|if)\b",
                r"\bregardless\b",
                r"\bno matter\b",
                r"\bignore\b",
                r"\bno (?:\S+ )?(?:time )?(?:limit|window|deadline)\b",
                r"\bexcept\b.*\bnever\b",
                r"\bno (?:\S+ ){0,2}(?:limit|deadline)\b",
                r"\bwithout (?:any )?(?:time )?limit\b",
            ),
        ):
            continue
        span = found(
            rf"(?P<n>{NUMBER})[- ](?:calendar |full |whole )?(?P<unit>day|week|fortnight|month|year)s?\b", line
        )
        if span is None:
            continue
        paying_out = has(
            line,
            (
                r"\b(?:process\w*|working days|business days|bank|take[sn]?|reach(?:es)? (?:your"
                r"|the|their) (?:account|card)|booked|transferred|paid(?! back)"
                r"|arrives?|credited|answer within|reply within|hours)\b"
            ),
        )
        about_age = has(
            line,
            (
                r"\b(?:deliver\w*|arriv\w+|receipt|received|older|old|window|deadline"
                r"|limit|period|late[rs]?|past|purchase|bought|since|reached|ago"
                r"|no longer|expired?|handed over|came)\b"
            ),
        )
        if paying_out and not about_age:
            continue
        if not about_age and not has(
            line, r"\b(?:within|up to|only|at most|no more than|under|during|for|inside|until|first)\b"
        ):
            continue
        if has(line, r"\b(?:newsletter|first message|complaint|wait)\b"):
            continue
        days = number(span["n"]) * _DAYS[span["unit"]]
        window = days if window is None else min(window, days)
    return window


@lru_cache(maxsize=256)
def stops_repeating(text: str) -> bool:
    """Whether a call that brought nothing new is not made again and again."""
    call = (
        r"\b(?:calls?|tools?|lookups?|look(?:ing)? up|requests?|quer(?:y"
        r"|ies)|searche?s?|asking|check(?:ing|s)?|attempts?|tries|try)\b"
    )
    lines = sentences(text)
    if any(
        has(
            line,
            (
                r"\b(?:until (?:it|you|the)|as often as|keep (?:calling|trying"
                r"|checking|asking)|never (?:stop|give up)|(?:do not|don'?t) (?:stop"
                r"|give up))\b"
            ),
        )
        and not has(line, r"\b(?:do not|don'?t|never) keep\b")
        for line in lines
    ):
        return False
    for line in lines:
        if any_of(
            line,
            (
                IDLE,
                r"\b(?:customer|person|user) (?:twice|again|more than once)\b",
                r"\bat least\b",
                r"\bcall the customer\b",
            ),
        ):
            continue
        limit = found(
            (
                rf"(?:at most|no more than|not more than|maximum of|up to|limit of"
                rf"|limit(?:ed)? (?:\w+ )?to|only|after|never more than|more than"
                rf"|make) (?P<n>{NUMBER})(?: (?:failed|identical|equal|unsuccessful"
                rf"|fruitless|such|tool|more))* (?:tool )?(?:calls?|tries|try|attempts?"
                rf"|times|lookups?|requests?|rounds?|identical)"
            ),
            line,
        )
        few = limit is not None and 0 < number(limit["n"]) <= 3
        if few and not has(line, r"\bafter\b") and has(line, rf"{call}|\btool\b"):
            return True
        if few and has(line, r"\b(?:stop|give up|move on|tell|say|answer|hand|apologi[sz]e|end|finish|quit|report)\b"):
            return True
        if has(line, call) and has(
            line,
            (
                rf"{NOT}[^.]*\b(?:repeat\w*|again|twice|more than once|same (?:arguments?"
                rf"|parameters?|input|call|question|tool)|retry\w*|identical|second time"
                rf"|over and over|loop\w*)\b"
            ),
        ):
            return True
        if has(
            line,
            (
                r"\b(?:call|use|query|ask|check|try)\b[^.]*\b(?:only once|just once"
                r"|once only|a single time|exactly once|once per|once for each"
                r"|one time)\b"
            ),
        ):
            return True
        if has(
            line,
            r"\b(?:stop|give up|move on|break off|do not continue|don'?t continue|quit|go on|finish)\b",
            (
                r"\b(?:same (?:result|answer|reply|output)|pending|unchanged|no change"
                r"|nothing new|did not change|has not changed|no progress|identical)\b"
            ),
        ):
            return True
        if has(
            line,
            r"\b(?:same (?:result|answer|reply|output)|pending|unchanged|nothing new|no progress)\b",
            r"\b(?:accept it|tell the customer|say so|answer with what|work with what|take it as)\b",
        ) and not has(line, r"\bcheck again|retry|try again|call again\b"):
            return True
    return False


@lru_cache(maxsize=256)
def hands_over(text: str) -> bool:
    """Whether a customer who asks for a person gets one."""
    person = (
        r"\b(?:person|people|humans?|colleagues?|agents?|team ?mates?|staff"
        r"|support team|member of (?:the|our) (?:team|staff)|team member"
        r"|someone (?:from|in|on)|somebody (?:from|in|on)|real (?:person"
        r"|human)|employees?|live (?:agent|support)|our team|handover|hand-over"
        r"|hand over)\b"
    )
    give = (
        r"\b(?:hand(?:s|ing)?(?: (?:it|them|him|her|the \w+))? (?:over"
        r"|to|off)|handover|hand-over|pass(?:ed)?|transfer\w*|escalat\w*"
        r"|connect\w*|forward\w*|put (?:them |the customer )?through|rout\w+"
        r"|bring in|refer|call in|involve|fetch|get|choose|label|gets?"
        r"|goes? to|send|switch|offer|bring)\b"
    )
    wish = (
        r"\b(?:ask(?:s|ed|ing)?|want(?:s|ed)?|request(?:s|ed)?|demand(?:s"
        r"|ed)?|wish(?:es|ed)?|prefer(?:s|red)?|insist(?:s|ed)?|would (?:like"
        r"|rather)|need[s]? to (?:talk|speak)|says?|begs?|calls? for|mentions?"
        r"|at (?:the|their) (?:customer'?s )?request|on request|look(?:s"
        r"|ing) for)\b"
    )
    ways = ((give, person, wish),)
    spoilt = (
        (
            rf"{NOT} (?:\w+ ){{0,2}}(?:hand|pass|transfer|escalate|connect|forward"
            rf"|route|refer|offer|involve|send)"
        ),
        r"\bonly (?:after|once|when .* (?:failed|three|five))\b",
        r"\bafter (?:at least )?(?:three|four|five|six|ten|\d+)\b",
        r"\b(?:explain|tell them|say) that you can\b",
        r"\bname\b.*\bcolleague|colleague'?s name\b",
        r"\bparcels?\b.*\bcourier\b",
        r"\bwho paid\b",
        r"\btry to (?:keep|talk|convince|persuade)\b",
        r"\bunless\b",
        r"\bfirst (?:ask|try|solve|explain)\b",
        r"\binstead of\b.*(?:person|human|colleague)",
        r"\b(?:talk|convince) them out\b",
        r"\bask (?:them )?(?:why|to wait)\b",
    )
    return said(
        text,
        ways,
        spoilt=spoilt,
        undone=(
            (
                rf"{NOT} (?:ever )?(?:hand|pass|transfer|escalate|connect|refer)\b[^.]*(?:person"
                rf"|human|colleague|agent|team)"
            ),
        ),
    )


@lru_cache(maxsize=256)
def broadens_search(text: str) -> bool:
    """Whether a search that finds nothing is tried again with other words."""
    none = r"\b(?:no|nothing|empty|zero|none|without|fails?|not find|finds? nothing|did not|misses|too narrow|few)\b"
    wider = (
        r"\b(?:broad(?:er|en)|wid(?:er|en)|more general|general (?:words?"
        r"|terms?)|synonyms?|other (?:words?|terms?|names?)|different (?:words?"
        r"|terms?|names?|wording)|rephras\w*|reword\w*|fewer words|simpler"
        r"|drop (?:words|the|details)|alternative (?:words?|terms?|names?)"
        r"|related (?:words?|terms?|names?)|near(?:by)? words|similar (?:words?"
        r"|terms?)|paraphras\w*|loosen|second (?:query|search)|another (?:word"
        r"|term|query|wording|name)|shorter query)\b"
    )
    again = (
        r"\b(?:again|retry|try|second|search|add|use|include|repeat|once more"
        r"|look|query|list|write|also|with|expand|extend|put)\b"
    )
    ways = (
        (none, wider, again),
        (
            r"\b(?:add|include|always|also|list|expand|extend|put|give|write|use)\b",
            (
                r"\b(?:synonyms?|related (?:words?|terms?|names?)|alternative (?:words?"
                r"|terms?|names?)|other (?:words?|names?) (?:for|of)|similar (?:words?"
                r"|terms?))\b"
            ),
        ),
    )
    spoilt = (
        (
            rf"{NOT} (?:\w+ )?(?:search again|retry|rephrase|broaden|widen|add"
            rf"|use|include|try|repeat|expand|put|write|look)\b"
        ),
        r"\btone\b",
        r"\bbroad(?:er)? (?:smile|answer|audience)\b",
        r"\bask the customer to\b",
        r"\banswer (?:from memory|in general|generally)\b",
        r"\b(?:a )?wider (?:range of products|choice)\b",
        r"\bexact(?:ly)?\b",
        r"\bin the answer\b",
        r"\brephrase (?:your|the) answer\b",
    )
    return said(text, ways, spoilt=spoilt)
