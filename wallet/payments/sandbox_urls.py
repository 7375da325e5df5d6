from django.urls import path

from wallet.payments import sandbox_payouts, sandbox_refunds, sandbox_views

app_name = "sandbox"
urlpatterns = [
    path("pay/<str:token>/", sandbox_views.pay, name="pay"),
    path("refunds/", sandbox_refunds.refund, name="refund"),
    path("payouts/", sandbox_payouts.payout, name="payout"),
]
