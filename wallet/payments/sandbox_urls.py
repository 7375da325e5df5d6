from django.urls import path

from wallet.payments import sandbox_payouts, sandbox_views

app_name = "sandbox"
urlpatterns = [
    path("pay/<str:token>/", sandbox_views.pay, name="pay"),
    path("payouts/", sandbox_payouts.payout, name="payout"),
]
