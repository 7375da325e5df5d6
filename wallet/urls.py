from django.urls import path

from wallet import bonus_views, cash_views, limit_views, views, withdrawal_views

app_name = "wallet"
urlpatterns = [
    path("", views.statement, name="statement"),
    path("statement.csv", views.statement_file, name="statement_file"),
    path("deposits/", cash_views.deposit, name="deposit"),
    path("deposits/<str:reference>/", cash_views.deposit_state, name="deposit_state"),
    path("notices/<str:provider>/", cash_views.payment_notice, name="payment_notice"),
    path("payout-notices/<str:provider>/", cash_views.payout_notice, name="payout_notice"),
    path("withdrawals/", withdrawal_views.withdrawals, name="withdrawals"),
    path("withdrawals/review/<str:token>/", withdrawal_views.review, name="withdrawal_review"),
    path("withdrawals/<str:reference>/", withdrawal_views.withdrawal, name="withdrawal"),
    path("withdrawals/<str:reference>/cancel/", withdrawal_views.cancel, name="cancel_withdrawal"),
    path("bonuses/", bonus_views.bonuses, name="bonuses"),
    path("limits/", limit_views.limits, name="limits"),
    path("limits/deposits/", limit_views.deposit_limit, name="deposit_limit"),
    path("limits/losses/", limit_views.loss_limit, name="loss_limit"),
    path("limits/exclusion/", limit_views.exclude, name="exclude"),
    path("chips/", views.reload_chips, name="reload_chips"),
]
