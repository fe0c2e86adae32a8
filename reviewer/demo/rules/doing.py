"""Rules about what is done: refunds, tool arguments, repeated calls, searching, handing over, formats, fallbacks."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from reviewer.demo.rules.reading import IDLE, NOT, NUMBER, any_of, found, has, number, said, sentences

_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}


@lru_cache(maxsize=256)
def refund_window(text: str) -> int | None:
    """For how many days after delivery money goes back; None when the text sets no limit."""
    window: int | None = None
    for line in sentences(text):
        if not has(line, r"\b(?:refund\w*|money back|give back the money|reimburse\w*|pay(?:ing)? (?:\w+ )?back|paid back|return the (?:money|price|payment))\b"):
            continue
        if any_of(line, (
            IDLE, r"\b(?:even|also|still) (?:after|later than|beyond|when|if)\b", r"\bregardless\b", r"\bno matter\b", r"\bignore\b", r"\bno (?:\S+ )?(?:time )?(?:limit|window|deadline)\b",
            r"\bexcept\b.*\bnever\b", r"\bno (?:\S+ ){0,2}(?:limit|deadline)\b", r"\bwithout (?:any )?(?:time )?limit\b",
        )):  # fmt: skip
            continue
        span = found(rf"(?P<n>{NUMBER})[- ](?:calendar |full |whole )?(?P<unit>day|week|fortnight|month|year)s?\b", line)
        if span is None:
            continue
        paying_out = has(line, r"\b(?:process\w*|working days|business days|bank|take[sn]?|reach(?:es)? (?:your|the|their) (?:account|card)|booked|transferred|paid(?! back)|arrives?|credited|answer within|reply within|hours)\b")
        about_age = has(line, r"\b(?:deliver\w*|arriv\w+|receipt|received|older|old|window|deadline|limit|period|late[rs]?|past|purchase|bought|since|reached|ago|no longer|expired?|handed over|came)\b")
        if paying_out and not about_age:
            continue
        if not about_age and not has(line, r"\b(?:within|up to|only|at most|no more than|under|during|for|inside|until|first)\b"):
            continue
        if has(line, r"\b(?:newsletter|first message|complaint|wait)\b"):
            continue
        days = number(span["n"]) * _DAYS[span["unit"]]
        window = days if window is None else min(window, days)
    return window


@lru_cache(maxsize=256)
def stops_repeating(text: str) -> bool:
    """Whether a call that brought nothing new is not made again and again."""
    call = r"\b(?:calls?|tools?|lookups?|look(?:ing)? up|requests?|quer(?:y|ies)|searche?s?|asking|check(?:ing|s)?|attempts?|tries|try)\b"
    lines = sentences(text)
    if any(has(line, r"\b(?:until (?:it|you|the)|as often as|keep (?:calling|trying|checking|asking)|never (?:stop|give up)|(?:do not|don'?t) (?:stop|give up))\b") and not has(line, r"\b(?:do not|don'?t|never) keep\b") for line in lines):
        return False
    for line in lines:
        if any_of(line, (IDLE, r"\b(?:customer|person|user) (?:twice|again|more than once)\b", r"\bat least\b", r"\bcall the customer\b")):
            continue
        limit = found(rf"(?:at most|no more than|not more than|maximum of|up to|limit of|limit(?:ed)? (?:\w+ )?to|only|after|never more than|more than|make) (?P<n>{NUMBER})(?: (?:failed|identical|equal|unsuccessful|fruitless|such|tool|more))* (?:tool )?(?:calls?|tries|try|attempts?|times|lookups?|requests?|rounds?|identical)", line)
        few = limit is not None and 0 < number(limit["n"]) <= 3
        if few and not has(line, r"\bafter\b") and has(line, rf"{call}|\btool\b"):
            return True
        if few and has(line, r"\b(?:stop|give up|move on|tell|say|answer|hand|apologi[sz]e|end|finish|quit|report)\b"):
            return True
        if has(line, call) and has(line, rf"{NOT}[^.]*\b(?:repeat\w*|again|twice|more than once|same (?:arguments?|parameters?|input|call|question|tool)|retry\w*|identical|second time|over and over|loop\w*)\b"):
            return True
        if has(line, r"\b(?:call|use|query|ask|check|try)\b[^.]*\b(?:only once|just once|once only|a single time|exactly once|once per|once for each|one time)\b"):
            return True
        if has(line, r"\b(?:stop|give up|move on|break off|do not continue|don'?t continue|quit|go on|finish)\b", r"\b(?:same (?:result|answer|reply|output)|pending|unchanged|no change|nothing new|did not change|has not changed|no progress|identical)\b"):
            return True
        if has(line, r"\b(?:same (?:result|answer|reply|output)|pending|unchanged|nothing new|no progress)\b", r"\b(?:accept it|tell the customer|say so|answer with what|work with what|take it as)\b") and not has(line, r"\bcheck again|retry|try again|call again\b"):
            return True
    return False


@lru_cache(maxsize=256)
def hands_over(text: str) -> bool:
    """Whether a customer who asks for a person gets one."""
    person = r"\b(?:person|people|humans?|colleagues?|agents?|team ?mates?|staff|support team|member of (?:the|our) (?:team|staff)|team member|someone (?:from|in|on)|somebody (?:from|in|on)|real (?:person|human)|employees?|live (?:agent|support)|our team|handover|hand-over|hand over)\b"
    give = r"\b(?:hand(?:s|ing)?(?: (?:it|them|him|her|the \w+))? (?:over|to|off)|handover|hand-over|pass(?:ed)?|transfer\w*|escalat\w*|connect\w*|forward\w*|put (?:them |the customer )?through|rout\w+|bring in|refer|call in|involve|fetch|get|choose|label|gets?|goes? to|send|switch|offer|bring)\b"
    wish = r"\b(?:ask(?:s|ed|ing)?|want(?:s|ed)?|request(?:s|ed)?|demand(?:s|ed)?|wish(?:es|ed)?|prefer(?:s|red)?|insist(?:s|ed)?|would (?:like|rather)|need[s]? to (?:talk|speak)|says?|begs?|calls? for|mentions?|at (?:the|their) (?:customer'?s )?request|on request|look(?:s|ing) for)\b"
    ways = ((give, person, wish),)
    spoilt = (
        rf"{NOT} (?:\w+ ){{0,2}}(?:hand|pass|transfer|escalate|connect|forward|route|refer|offer|involve|send)", r"\bonly (?:after|once|when .* (?:failed|three|five))\b", r"\bafter (?:at least )?(?:three|four|five|six|ten|\d+)\b",
        r"\b(?:explain|tell them|say) that you can\b", r"\bname\b.*\bcolleague|colleague'?s name\b", r"\bparcels?\b.*\bcourier\b", r"\bwho paid\b", r"\btry to (?:keep|talk|convince|persuade)\b", r"\bunless\b", r"\bfirst (?:ask|try|solve|explain)\b", r"\binstead of\b.*(?:person|human|colleague)", r"\b(?:talk|convince) them out\b", r"\bask (?:them )?(?:why|to wait)\b",
    )  # fmt: skip
    return said(text, ways, spoilt=spoilt, undone=(rf"{NOT} (?:ever )?(?:hand|pass|transfer|escalate|connect|refer)\b[^.]*(?:person|human|colleague|agent|team)",))


@lru_cache(maxsize=256)
def broadens_search(text: str) -> bool:
    """Whether a search that finds nothing is tried again with other words."""
    none = r"\b(?:no|nothing|empty|zero|none|without|fails?|not find|finds? nothing|did not|misses|too narrow|few)\b"
    wider = r"\b(?:broad(?:er|en)|wid(?:er|en)|more general|general (?:words?|terms?)|synonyms?|other (?:words?|terms?|names?)|different (?:words?|terms?|names?|wording)|rephras\w*|reword\w*|fewer words|simpler|drop (?:words|the|details)|alternative (?:words?|terms?|names?)|related (?:words?|terms?|names?)|near(?:by)? words|similar (?:words?|terms?)|paraphras\w*|loosen|second (?:query|search)|another (?:word|term|query|wording|name)|shorter query)\b"
    again = r"\b(?:again|retry|try|second|search|add|use|include|repeat|once more|look|query|list|write|also|with|expand|extend|put)\b"
    ways = (
        (none, wider, again),
        (r"\b(?:add|include|always|also|list|expand|extend|put|give|write|use)\b", r"\b(?:synonyms?|related (?:words?|terms?|names?)|alternative (?:words?|terms?|names?)|other (?:words?|names?) (?:for|of)|similar (?:words?|terms?))\b"),
    )
    spoilt = (rf"{NOT} (?:\w+ )?(?:search again|retry|rephrase|broaden|widen|add|use|include|try|repeat|expand|put|write|look)\b", r"\btone\b", r"\bbroad(?:er)? (?:smile|answer|audience)\b", r"\bask the customer to\b", r"\banswer (?:from memory|in general|generally)\b", r"\b(?:a )?wider (?:range of products|choice)\b", r"\bexact(?:ly)?\b", r"\bin the answer\b", r"\brephrase (?:your|the) answer\b")
    return said(text, ways, spoilt=spoilt)


@lru_cache(maxsize=256)
def only_json(text: str) -> bool:
    """Whether the form comes as JSON and nothing else."""
    json = r"\b(?:json|\{|braces?)\b|\{"
    ways = (
        (json, r"\b(?:only|nothing (?:but|else|more|other)|solely|exclusively|no other|just|alone|bare|purely|raw|pure|strictly)\b"),
        (json, rf"(?:{NOT}|\bleave out\b|\bomit\b|\bfree of\b)[^.]*\b(?:text|prose|comment(?:s|ary)?|words?|explanations?|fences?|markdown|around|before|after|introduction|greetings?|sentences?|remarks?|anything|code blocks?|chatter|preamble)\b"),
        (r"\b(?:output|answer|reply|response|result|whole)\b", json, r"\b(?:must|has to|shall|should|needs? to)\b", r"\b(?:parse\w*|valid|be (?:a |one )?(?:single )?json|start|begin)\b"),
        (r"\b(?:start|begin|first character|open)\w*\b", r"\{|brace", r"\b(?:end|last character|close)\w*\b"),
        (r"\b(?:a|one) (?:single|valid|bare) json object\b", r"\b(?:return|answer|reply|output|write|respond|produce|emit|is)\b"),
        (r"\b(?:parser|machine|program|script|json\.parse|json\.loads)\b", json, r"\b(?:fail|break|reads?|parse|directly|choke)\w*\b"),
    )
    spoilt = (
        r"\b(?:do not|don'?t|never|avoid|no|not) (?:\w+ )?(?:use |write |return |answer (?:in|with) |in )?json\b", r"\bjson (?:keys?|field names?|values?|numbers?|indentation)\b", r"\bif (?:asked|possible|the customer asks)\b", r"\bmay (?:use|be)\b", r"\b(?:xml|yaml) only\b",
        r"\b(?:explain|introduc\w+|describe|follow\w*)\b[^.]*\b(?:json|form)\b(?![^.]*\b(?:not|no|never|without)\b)(?<!not )", r"\bcan (?:be|use)\b", r"\bwhen(?:ever)? (?:you like|asked)\b", r"\bprefer(?:ably|red)?\b", r"\btry to\b",
    )  # fmt: skip
    undone = (r"(?<!not )(?<!n't )(?<!never )\b(?:add|write|include|put)\b (?:a |one |some )?(?:short |friendly |kind )*(?:sentence|note|explanation|greeting|introduction|summary)s?\b[^.]*\b(?:before|after|around|with|below|above)\b",)
    return said(text, ways, spoilt=spoilt, undone=undone)


def names_the_order(tool: Mapping[str, Any]) -> bool:
    """Whether the lookup's parameter says that it wants an order number and not some other id."""
    return _names_the_order(json.dumps(tool, sort_keys=True, default=str))


@lru_cache(maxsize=256)
def _names_the_order(text: str) -> bool:
    tool = json.loads(text)
    schema = tool.get("parameters") or {}
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return False
    required = schema.get("required")
    wanted = required if isinstance(required, list) and required else list(properties)
    for name in wanted:
        detail = properties.get(name)
        if not isinstance(detail, dict):
            continue
        parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name)).lower().replace("-", "_").split("_")
        told = str(detail.get("description") or "").lower()
        strange = {"customer", "account", "user", "client", "date", "status", "total", "count", "session", "person"} & set(parts)
        by_name = "order" in parts or "order" in "".join(parts).removesuffix("number") and parts[0].startswith("order")
        example = str(detail.get("pattern") or "") + str(detail.get("example") or "") + str(detail.get("examples") or "")
        by_words = has(told, r"\border(?:'s)? (?:number|no\b|id\b|reference|code)|number of the order|id of the order|\bfw-") and not has(told, r"\b(?:customer|account|user)\b(?!.*\bnot\b)(?<!not the customer)")
        by_words = by_words or (has(told, r"\border\b", r"\bnot\b.*\b(?:customer|account)\b"))
        wrong = has(told, r"^(?:the )?(?:customer|account|user)(?:'s)? (?:id|number)|\bid of the (?:customer|account)")
        if not strange and not wrong and (by_name or by_words or "FW-" in example):
            return True
    return False


def falls_back(tool: Mapping[str, Any]) -> bool:
    """Whether the courier tool has something to say when the live lookup does not answer."""
    return _falls_back(json.dumps(tool, sort_keys=True, default=str))


@lru_cache(maxsize=256)
def _falls_back(text: str) -> bool:
    tool = json.loads(text)
    settings = tool.get("settings")
    if isinstance(settings, dict):
        told = " ".join(f"{key}={value}" for key, value in settings.items()).lower()
        if re.search(r"(?:fallback|on_error|on_timeout|when_down)=(?:cache\w*|last_known\w*|stored\w*|order_system|own_records|stale\w*|backup\w*|other_region)", told):
            return True
    fails = r"\b(?:fails?|failing|failed|times? out|timed out|timeouts?|unreachable|down|no answer|does not answer|doesn'?t answer|errors?|unavailable|outages?|silent|not respond\w*|does not respond|cannot be reached|fall(?:s|ing)? back|fallback|otherwise|live (?:lookup|status|data) is (?:missing|gone))\b"
    source = r"\b(?:last (?:known|stored|saved|seen)|stored|cached?|saved|order system|own (?:records|data|database)|our records|(?:an)?other region|backup|previous(?:ly)?|second (?:courier )?(?:service|endpoint)|most recent|copy)\b"
    ways = ((fails, source),)
    spoilt = (rf"{NOT} (?:\w+ )?(?:use|return|fall back|answer with|show|read|give|take|rely)", r"\bnever\b", r"\bclear the cache\b", r"\berrors? (?:is|are) (?:stored|saved|cached)\b", r"\b(?:delete|drop|flush|expire)\b", r"\bapologi[sz]e\b(?!.*\b(?:return|use|give|read)\b)", r"\bcache is off\b", r"\blog\b")
    return said(str(tool.get("description") or ""), ways, spoilt=spoilt)
