from django.urls import path

from wallet.payments.sandbox import payouts as sandbox_payouts
from wallet.payments.sandbox import refunds as sandbox_refunds
from wallet.payments.sandbox import views as sandbox_views

app_name = "sandbox"
urlpatterns = [
    path("pay/<str:token>/", sandbox_views.pay, name="pay"),
    path("refunds/", sandbox_refunds.refund, name="refund"),
    path("payouts/", sandbox_payouts.payout, name="payout"),
]
