FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --ignore-scripts

# Copy only the package from the first stage: no sources, no compiler, no tests.
FROM node:22-bookworm-slim
COPY --from=build /build/petstore-conformance-*.tgz /tmp/
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/petstore-conformance-*.tgz \
  && npm cache clean --force \
  && rm -r /tmp/petstore-conformance-*.tgz \
  && mkdir /work \
  && chown node:node /work
# Reports are written here; mount a folder.
WORKDIR /work
USER node
ENTRYPOINT ["petstore-conformance"]
CMD ["run"]
