from urllib.request import Request, urlopen

from celery import shared_task

from wallet.payments.sandbox.provider import webhook_address


@shared_task(
    name="wallet.payments.sandbox.send_webhook",
    autoretry_for=(OSError,),
    retry_backoff=2,
    max_retries=8,
)
def send_webhook(body: str, signature: str) -> None:
    """Post a signed webhook to this site, again until it is answered, as providers do.

    Whoever can write jobs can neither have another body signed nor another address called.
    """
    request = Request(  # noqa: S310 - the address of our own webhook
        webhook_address(),
        data=body.encode(),
        headers={"Content-Type": "application/json", "X-Signature": signature},
    )
    with urlopen(request, timeout=10):  # noqa: S310
        pass
