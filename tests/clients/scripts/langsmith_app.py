"""A support agent traced with the LangSmith SDK."""

import json
import logging
import uuid

from langsmith import Client, get_current_run_tree, traceable

logging.basicConfig(level=logging.WARNING)
client = Client()
sent: dict = {"info": client.info.version}
early, tone, first, late = (str(uuid.uuid4()) for _ in range(4))
root_id = uuid.uuid4()
sent |= {"trace": str(root_id), "feedback": {"booked": early, "tone": tone, "helpfulness": first, "stars": late}}


@traceable(run_type="llm", name="decide", metadata={"ls_model_name": "small-1", "ls_provider": "acme"}, client=client)
def decide(messages: list) -> dict:
    call = {"id": "call_1", "type": "function", "function": {"name": "lookup_order", "arguments": '{"order": "1047"}'}}
    sent["decide"] = str(get_current_run_tree().id)
    return {
        "choices": [
            {"message": {"role": "assistant", "content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}
        ],
        "usage_metadata": {"input_tokens": 50, "output_tokens": 10, "total_tokens": 60},
    }


@traceable(run_type="tool", client=client)
def lookup_order(order: str) -> dict:
    return {"status": "shipped"}


@traceable(run_type="retriever", client=client)
def find_help(question: str) -> list:
    return [{"page_content": "An article about orders.", "type": "Document", "metadata": {"id": "a1"}}]


@traceable(run_type="tool", client=client)
def send_mail(to: str) -> None:
    raise TimeoutError("The mail server did not answer.")


@traceable(run_type="llm", name="answer", metadata={"ls_model_name": "small-1"}, client=client)
def answer(messages: list) -> dict:
    run = get_current_run_tree()
    sent["answer"] = str(run.id)
    return {
        "role": "assistant",
        "content": "It is on its way.",
        "usage_metadata": {"input_tokens": 80, "output_tokens": 12, "total_tokens": 92},
    }


@traceable(
    run_type="chain",
    name="support",
    tags=["beta", "web"],
    metadata={"session_id": "session-1", "user_id": "user-1", "environment": "production", "revision_id": "2.4.1"},
    client=client,
)
def support(question: str) -> str:
    talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
    decide(talk)
    lookup_order("1047")
    find_help(question)
    try:
        send_mail("customer")
    except TimeoutError:
        sent["raised"] = True
    return answer(talk)["content"]


try:
    client.create_feedback(root_id, "booked", score=True, feedback_id=early, stop_after_attempt=3)
except Exception as error:
    sent["refusal"] = f"{type(error).__name__}: {error}"
sent["replied"] = support("Where is order 1047?", langsmith_extra={"run_id": root_id})
client.create_feedback(root_id, "helpfulness", score=0.75, comment="It answers.", trace_id=root_id, feedback_id=first)
client.create_feedback(sent["answer"], "tone", value="friendly", trace_id=root_id, feedback_id=tone)
client.flush()
if "refusal" not in sent:
    client.create_feedback(root_id, "stars", score=4, comment="A day later.", feedback_id=late)
client.cleanup()
print(json.dumps(sent))
