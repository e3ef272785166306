# One image for every role. glibc only: onnxruntime-node has no build for musl.
ARG NODE=docker.io/library/node:24.21.0-bookworm-slim
# The last stage needs no npm, no yarn and no headers.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
COPY . .
# The secret is optional: a company's registry settings, used only in this step.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc,required=false \
    npm ci --no-audit --no-fund && npm run build --silent && npm run models --silent -- --directory=/models

# `server` and the packages below it, without compilers, tests and the binaries of other platforms.
FROM ${NODE} AS modules
WORKDIR /app
COPY . .
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc,required=false \
    npm ci --no-audit --no-fund --omit=dev --workspace=@tintype/server --include-workspace-root=false \
 && node scripts/slim-modules.mjs \
 && mkdir -p /out/data

FROM ${BASE} AS tintype
# Engines run in namespaces that bubblewrap creates.
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
# The server's user can execute it but not read it: the kernel then hides the server's memory and environment from other processes
# of that user (would_dump in fs/exec.c).
COPY --from=modules --chmod=0711 /usr/local/bin/node /usr/local/bin/node
# As `npm start`: glibc gives freed memory back.
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 TINTYPE_DATA=/data TINTYPE_MODELS=/models
WORKDIR /app
COPY --from=modules --chown=1000:1000 /out/data /data
COPY --from=build /models /models
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /app/packages packages
COPY --from=build /app/packages/codecs/src/kernels/build packages/codecs/src/kernels/build
COPY --from=build /app/packages/web/build/client packages/web/build/client
COPY package.json LICENSE THIRD_PARTY.md ./
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((a)=>process.exit(a.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--initial-old-space-size=128", "packages/server/src/main.ts"]
