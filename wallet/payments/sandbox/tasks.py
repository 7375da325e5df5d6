from urllib.request import Request, urlopen

from celery import shared_task

from wallet.payments.sandbox.provider import sign


@shared_task(
    name="wallet.payments.sandbox.send_webhook",
    autoretry_for=(OSError,),
    retry_backoff=2,
    max_retries=8,
)
def send_webhook(address: str, body: str) -> None:
    """Sent again until it is answered, as providers do."""
    content = body.encode()
    request = Request(  # noqa: S310 - the address of our own webhook
        address,
        data=content,
        headers={"Content-Type": "application/json", "X-Signature": sign(content)},
    )
    with urlopen(request, timeout=10):  # noqa: S310
        pass
