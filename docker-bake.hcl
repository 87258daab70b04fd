# All images: REVISION=$(git rev-parse HEAD) docker buildx bake, or one of them: docker buildx bake identity
variable "TAG" { default = "latest" }
variable "REVISION" { default = "unknown" }
# A digest for builds that are to be the same again: node@sha256:…
variable "BASE" { default = "node:24-bookworm-slim" }

group "default" { targets = ["service"] }

target "service" {
  name   = service
  matrix = { service = ["gateway", "identity", "account", "catalog", "engagement", "billing", "health", "operations"] }
  args   = { PACKAGE = service, REVISION = REVISION, BASE = BASE }
  tags   = ["storefront/${service}:${TAG}"]
}
