# One image for each service: docker build --build-arg PACKAGE=identity . ; all of them: docker buildx bake
# PACKAGE is `gateway` or the name of a folder in services/. A newer base: docs/operating.md says how its digest is found.
ARG BASE=node:24-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7

# The manifests alone, so that a change of a source is none of what is installed.
FROM ${BASE} AS manifests
WORKDIR /all
COPY . .
RUN mkdir /manifests && find . -name package.json -exec cp --parents --target-directory=/manifests {} +

FROM ${BASE} AS build
WORKDIR /app
RUN npm install --global pnpm@12.21.0
# What is downloaded hangs on these alone.
COPY .npmrc pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
RUN pnpm fetch
COPY --from=manifests /manifests ./
RUN pnpm install --frozen-lockfile --offline
# What is in each image, as a list. What would be another each time is taken away (a number, times, the order), so that a service
# in which nothing changed keeps its layer.
RUN mkdir /sbom && for folder in gateway operations services/*; do \
      name="$(basename "$folder")" && \
      pnpm --filter "@storefront/$name" sbom --prod --lockfile-only --sbom-format cyclonedx --sbom-type application --out "/sbom/$name.json" \
      || exit 1; \
    done && \
    node -e 'const fs = require("node:fs"); \
      const by = (key) => (one, other) => (one[key] < other[key] ? -1 : 1); \
      for (const name of fs.readdirSync("/sbom")) { \
        const file = `/sbom/${name}`, list = JSON.parse(fs.readFileSync(file, "utf8")); \
        delete list.serialNumber; \
        delete list.metadata.timestamp; \
        list.components.sort(by("bom-ref")); \
        for (const each of list.dependencies.sort(by("ref"))) each.dependsOn?.sort(); \
        fs.writeFileSync(file, JSON.stringify(list, null, 2)); \
      }'
# A change of a service compiles no package again.
COPY tsconfig.base.json ./
COPY packages packages
RUN pnpm exec tsc -b $(for folder in packages/*; do if [ -d "$folder/src" ]; then echo "$folder"; fi; done)
COPY . .
RUN pnpm exec tsc -b gateway operations services/*
# One after the other: side by side they take longer on two cores. A patch may be of a package that one of them does not have; the
# install above is strict. pnpm's own file has the time in it. Of fonts, the two weights that invoices use are kept of nine.
RUN for folder in gateway operations services/*; do \
      name="$(basename "$folder")" && \
      pnpm --filter "@storefront/$name" --config.allow-unused-patches=true deploy --offline --legacy --prod "/out/$name" && \
      rm "/out/$name/node_modules/.modules.yaml" && \
      find "/out/$name/node_modules" -path '*/@expo-google-fonts/*' -name '*.ttf' ! -name '*_400Regular.ttf' ! -name '*_700Bold.ttf' -delete && \
      cp "/sbom/$name.json" "/out/$name/sbom.json" \
      || exit 1; \
    done
# The gateway serves the console: the built files, and nothing of what built them.
RUN node --conditions=source --disable-warning=ExperimentalWarning console/build.ts /out/gateway/console

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
ARG PACKAGE
# Owned by root: the process can change nothing of it.
COPY --from=build /out/${PACKAGE} .
# A number: Kubernetes can't tell of a name that it is not root.
USER 1000:1000
EXPOSE 8080
# Liveness only: whether to send it requests is for whoever balances the load, who asks /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--enable-source-maps", "dist/main.js"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="storefront-${PACKAGE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
