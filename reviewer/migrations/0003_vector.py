"""pgvector, for the embeddings that group failures by meaning."""

from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    dependencies = [("reviewer", "0002_append_only_audit")]
    operations = [VectorExtension()]
