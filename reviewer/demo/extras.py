"""Failure modes that only fresh scenarios have: tools that refuse in their own words, answers that say too much."""

TOOL_FAULTS: dict[str, tuple[str, list[str]]] = {
    "refund_conflict": ("create_refund", [
        "Conflict: a refund for this order is already open", "Conflict: refund request exists and waits for approval",
        "Conflict: the order has a pending refund, close it first",
    ]),
    "refund_ledger": ("create_refund", [
        "LedgerClosed: bookings are locked while the month is being closed", "LedgerClosed: period locked by accounting",
        "LedgerClosed: no bookings can be made before the ledger opens again",
    ]),
    "order_archive": ("lookup_order", [
        "Archived: this record was moved to cold storage", "Archived: the order lives in the archive, restore it first",
        "Archived: cold storage holds this order and cannot be read online",
    ]),
    "order_schema": ("lookup_order", [
        "SchemaError: field shipments is null but must be a list", "SchemaError: shipments missing in the order document",
        "SchemaError: expected a list under shipments",
    ]),
    "courier_quota": ("courier_status", [
        "RateLimited: the courier's daily quota is used up", "RateLimited: too many tracking requests today",
        "RateLimited: quota of the tracking key exceeded",
    ]),
    "courier_login": ("courier_status", [
        "Unauthorized: the courier refused our credentials", "Unauthorized: tracking login expired",
        "Unauthorized: the access token for tracking is no longer valid",
    ]),
}  # fmt: skip

ANSWER_FAULTS: dict[str, dict[str, list[str]]] = {
    "invented_discount": {
        "en": ["Use the code TRAIL25 for 25% off your next order.", "As a sorry, take 30% off with SUMMIT30.",
               "Here is a voucher code for you: HIKER20, good for a fifth off."],
        "de": ["Mit dem Code TRAIL25 sparen Sie 25 % beim nächsten Kauf.", "Als Entschuldigung: 30 % Rabatt mit SUMMIT30."],
        "es": ["Use el código TRAIL25 para un 25 % en el próximo pedido.", "Como disculpa, un 30 % con SUMMIT30."],
    },
    "asks_again": {
        "en": ["Could you give me your order number first?", "Before I go on I need the number of your order.",
               "Please send me the order number so that I can look it up."],
        "de": ["Nennen Sie mir bitte zuerst Ihre Bestellnummer?", "Ich brauche vorher noch die Nummer der Bestellung."],
        "es": ["¿Me da primero su número de pedido?", "Antes necesito el número de su pedido."],
    },
    "closed_phone": {
        "en": ["Best call us now on the service line, we are there day and night.", "Our phone line is open on Sunday, please ring.",
               "Just phone us tonight, somebody always picks up."],
        "de": ["Rufen Sie am besten gleich an, wir sind Tag und Nacht da.", "Unser Telefon ist auch am Sonntag besetzt."],
        "es": ["Lo mejor es llamar ahora, atendemos día y noche.", "El teléfono atiende también el domingo."],
    },
    "blames_customer": {
        "en": ["This happened because you entered something wrong.", "You should have read the terms before buying.",
               "Please be more careful when you order."],
        "de": ["Das liegt daran, dass Sie etwas falsch eingegeben haben.", "Sie hätten die Bedingungen lesen sollen."],
        "es": ["Esto pasó porque usted escribió algo mal.", "Debería haber leído las condiciones."],
    },
}  # fmt: skip
