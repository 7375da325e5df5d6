"""Helpers that read the administration's forms."""


def read_form_errors(answer):
    """Return the errors of a form that was refused."""
    assert answer.status_code == 200
    return answer.context["adminform"].form.errors.as_text()
