"""A support agent observed with the Langfuse SDK; one text for generations 3, 4 and 5 of it."""

import json
import sys
from contextlib import ExitStack
from importlib.metadata import version

from langfuse import Langfuse, get_client, observe
from langfuse.model import TextPromptClient

try:
    from langfuse.api import Prompt_Text
except ImportError:
    from langfuse.api.resources.prompts import Prompt_Text

GENERATION = int(version("langfuse").split(".")[0])
client = Langfuse(flush_interval=0.2)
sent: dict = {"version": version("langfuse")}
try:
    sent["auth"] = client.auth_check()
except Exception as error:
    print(json.dumps({**sent, "auth": False, "refusal": f"{type(error).__name__}: {error}"}))
    client.create_score(name="refused", value=1, trace_id=client.create_trace_id())
    client.start_observation(name="refused").end()
    client.flush()
    sys.exit()

sent["trace"] = client.create_trace_id(seed="conversation")
client.create_score(name="booked", value=1, trace_id=sent["trace"], data_type="BOOLEAN", score_id="early")
client.flush()

written = {"name": "support/answer", "version": 7, "prompt": "Be brief.", "config": {}, "labels": [], "tags": []}
prompt = TextPromptClient(Prompt_Text(**written))
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where is order 1047?"}]
CALL = {"id": "call_1", "type": "function", "function": {"name": "lookup_order", "arguments": '{"order": "1047"}'}}
FACTS = {"user_id": "user-1", "session_id": "session-1", "tags": ["beta", "web"]}


@observe(as_type="retriever", name="find help")
def find_help(question: str) -> list[str]:
    return [f"An article about: {question}"]


with ExitStack() as stack:
    if GENERATION >= 4:
        from langfuse import propagate_attributes

        stack.enter_context(propagate_attributes(trace_name="support", **FACTS))
    root = stack.enter_context(
        client.start_as_current_observation(
            as_type="agent",
            name="answer a customer",
            trace_context={"trace_id": sent["trace"]},
            input={"question": "Where is order 1047?"},
            metadata={"channel": "web"},
        )
    )
    if GENERATION == 3:
        client.update_current_trace(name="support", **FACTS)
    with client.start_as_current_observation(
        as_type="generation",
        name="decide",
        model="small-1",
        model_parameters={"temperature": 0},
        input=ASKED,
        prompt=prompt,
    ) as span:
        span.update(
            output={"role": "assistant", "content": None, "tool_calls": [CALL]},
            usage_details={"input": 50, "output": 10},
            cost_details={"input": 0.0005, "output": 0.001},
        )
        sent["decide"] = span.id
    with client.start_as_current_observation(as_type="tool", name="lookup_order", input={"order": "1047"}) as span:
        span.update(output={"status": "shipped"})
    find_help("orders")
    with client.start_as_current_observation(as_type="tool", name="send_mail", input={"to": "customer"}) as span:
        span.update(level="ERROR", status_message="The mail server did not answer.")
    try:
        with client.start_as_current_observation(as_type="span", name="render"):
            raise ValueError("No template for web")
    except ValueError:
        pass
    with client.start_as_current_observation(as_type="generation", name="answer", model="small-1", input=ASKED) as span:
        span.update(
            output={"role": "assistant", "content": "It is on its way."}, usage_details={"input": 80, "output": 12}
        )
        span.score(name="tone", value="friendly", data_type="CATEGORICAL", score_id="tone")
        sent["answer"] = span.id
    root.update(output={"answer": "It is on its way."})
    client.score_current_trace(name="helpfulness", value=0.75, comment="It answers.", score_id="first")
    sent["root"] = root.id
client.flush()
client.create_score(name="stars", value=4, trace_id=sent["trace"], score_id="late", comment="A day later.")
client.create_score(name="resolved", value=1, session_id="session-1", data_type="BOOLEAN", score_id="of the session")
client.flush()
get_client().shutdown()
print(json.dumps(sent))
