"""Every address of the product; the apps add theirs below the project."""

from django.urls import URLPattern, URLResolver, include, path

import issues.api
import issues.urls
from reviewer import api
from reviewer.views import access, account, audit, components, demo, docs, health, home, joining, keys, people, projects

handler400 = "reviewer.views.errors.bad_request"
handler403 = "reviewer.views.errors.forbidden"
handler404 = "reviewer.views.errors.not_found"
handler500 = "reviewer.views.errors.server_error"

api.api.add_router("", issues.api.router)

project_urls: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("/jump", home.jump, name="jump"),
    path("/settings", projects.project_settings, name="project_settings"),
    path("/settings/people", people.people, name="people"),
    path("/settings/people/invite", people.invite_person, name="invite_person"),
    path("/settings/people/<int:membership>/role", people.change_role, name="change_role"),
    path("/settings/people/<int:membership>/remove", people.remove_person, name="remove_person"),
    path("/settings/invitations/<int:invitation>/resend", people.resend_invitation, name="resend_invitation"),
    path("/settings/invitations/<int:invitation>/revoke", people.revoke_invitation, name="revoke_invitation"),
    path("/settings/keys", keys.keys, name="keys"),
    path("/settings/keys/create", keys.create_key, name="create_key"),
    path("/settings/keys/<int:key>/revoke", keys.revoke_key, name="revoke_key"),
    path("/settings/audit", audit.audit_log, name="audit_log"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.start, name="start"),
    path("sign-in", access.sign_in, name="sign_in"),
    path("sign-in/demo/<str:role>", access.sign_in_demo, name="sign_in_demo"),
    path("sign-out", access.sign_out, name="sign_out"),
    path("forgot", access.forgot_password, name="forgot_password"),
    path("reset/<str:uid>/<str:token>", access.reset_password, name="reset_password"),
    path("invitation/<str:token>", joining.invitation, name="invitation"),
    path("account", account.account, name="account"),
    path("account/password", account.change_password, name="change_password"),
    path("account/sessions/end", account.end_sessions, name="end_sessions"),
    path("projects/new", projects.create_project, name="create_project"),
    path("p/<slug:project>", include([*project_urls, *issues.urls.project_urls])),
    path("docs", docs.docs_index, name="docs_index"),
    path("docs/search", docs.docs_search, name="docs_search"),
    path("docs/<slug:page>", docs.docs_page, name="docs_page"),
    path("demo/progress", demo.demo_progress, name="demo_progress"),
    path("demo/tour", demo.demo_tour, name="demo_tour"),
    path("components", components.components, name="components"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    *issues.urls.urlpatterns,
    path("api/v1/", api.urls()),
    path("api/<path:rest>", api.no_such_address, name="no_such_address"),
]
