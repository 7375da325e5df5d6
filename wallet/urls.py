from django.urls import path

from wallet.bonuses import views as bonus_views
from wallet.chips.views import reload_chips
from wallet.deposits.views import deposit, deposit_state
from wallet.limits import views as limit_views
from wallet.statement.views import statement, statement_file
from wallet.webhooks import webhook
from wallet.withdrawals import views as withdrawal_views

app_name = "wallet"
urlpatterns = [
    path("", statement, name="statement"),
    path("statement.csv", statement_file, name="statement_file"),
    path("deposits/", deposit, name="deposit"),
    path("deposits/<str:reference>/", deposit_state, name="deposit_state"),
    path("webhooks/<str:provider>/", webhook, name="webhook"),
    path("withdrawals/", withdrawal_views.withdrawals, name="withdrawals"),
    path("withdrawals/review/<str:token>/", withdrawal_views.review, name="withdrawal_review"),
    path("withdrawals/<str:reference>/", withdrawal_views.withdrawal, name="withdrawal"),
    path("withdrawals/<str:reference>/cancel/", withdrawal_views.cancel, name="cancel_withdrawal"),
    path("bonuses/", bonus_views.bonuses, name="bonuses"),
    path("bonuses/code/", bonus_views.redeem, name="redeem_code"),
    path("limits/", limit_views.limits, name="limits"),
    path("limits/deposits/", limit_views.deposit_limit, name="deposit_limit"),
    path("limits/losses/", limit_views.loss_limit, name="loss_limit"),
    path("limits/exclusion/", limit_views.exclude, name="exclude"),
    path("chips/", reload_chips, name="reload_chips"),
]
