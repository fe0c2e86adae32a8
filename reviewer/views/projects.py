"""Making a project, and its general settings."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from reviewer import people
from reviewer.forms import NewProjectForm, RenameProjectForm
from reviewer.http import ProjectRequest, UserRequest, in_project
from reviewer.models import Project
from reviewer.refused import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def create_project(request: UserRequest) -> HttpResponse:
    if not people.is_admin_somewhere(request.user):
        raise PermissionDenied("Only admins open new projects. Ask an admin of one of your projects.")
    form = NewProjectForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        data = form.cleaned_data
        try:
            project = people.create_project(data["name"], slug=data["slug"], actor=request.user)
        except Refused as error:
            form.add_error("slug", str(error))
        else:
            messages.success(request, f"{project} is ready, and you are its admin.")
            return redirect("home", project.slug)
    return render(request, "reviewer/new_project.html", {"form": form}, status=422 if form.is_bound else 200)


@in_project("manage_people")
@require_http_methods(["GET", "HEAD", "POST"])
def project_settings(request: ProjectRequest) -> HttpResponse:
    # A row of its own for the form: with an error, request.project must keep its name for the shell.
    own = Project(pk=request.project.pk, slug=request.project.slug, name=request.project.name)
    form = RenameProjectForm(request.POST if request.method == "POST" else None, instance=own)
    if form.is_valid():
        name = form.cleaned_data["name"]
        if people.rename_project(request.project, name=name, actor=request.user):
            messages.success(request, f"The project is now called {name}.")
        return redirect("project_settings", request.project.slug)
    return render(request, "reviewer/project_settings.html", {"form": form}, status=422 if form.is_bound else 200)
