# All images: REVISION=$(git rev-parse HEAD) docker buildx bake, or one of them: docker buildx bake identity
variable "TAG" { default = "latest" }
variable "REVISION" { default = "unknown" }
# With its digest, as in the Dockerfile, so that a build is the same again.
variable "BASE" { default = "node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7" }

group "default" { targets = ["service"] }

target "service" {
  name   = service
  matrix = { service = ["gateway", "identity", "account", "catalog", "engagement", "billing", "orders", "health", "operations"] }
  args   = { PACKAGE = service, REVISION = REVISION, BASE = BASE }
  tags   = ["storefront/${service}:${TAG}"]
}
