from django.urls import path

from history.support import report_views as reports
from history.support import views as support

urlpatterns = [
    path("", support.support, name="support"),
    path("<int:case_id>/", support.case, name="support_case"),
    path("<int:case_id>/close/", support.close, name="support_close"),
    path("matches/<int:match_id>/deals/<int:number>/", support.dispute, name="support_deal"),
    path("matches/<int:match_id>/players/", reports.report_in_match, name="report_in_match"),
    path("players/<int:user_id>/", reports.report_person, name="report_person"),
    path("tables/<int:table_id>/", support.dispute_at_table, name="support_table"),
]
