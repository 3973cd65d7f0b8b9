import { describe, expect, it } from 'vitest';
import { dockerfileNeeds } from '../../../src/core/doctor/dockerfile-needs.ts';

const needs = (text: string, args: Record<string, string> = {}) => dockerfileNeeds(text, args);

describe('what a Dockerfile needs', () => {
  it('are the images that its stages begin with, and no stage of its own', () => {
    const text = `ARG GO=1.24
FROM --platform=linux/amd64 golang:\${GO}-alpine AS build
ARG GO=1.10
RUN go build
FROM scratch AS empty
FROM node:$NODE AS unknown
FROM gcr.io/distroless/static:\${TAG:-latest}
COPY --from=build /app /app
from build
`;
    const [own, handed] = ['golang:1.24-alpine', 'golang:1.25-alpine'];
    const plain = { buildKit: null, namesSyntax: false };
    expect(needs(text)).toEqual({ bases: [own, 'gcr.io/distroless/static:latest'], ...plain });
    expect(needs(text, { GO: '1.25' }).bases).toEqual([handed, 'gcr.io/distroless/static:latest']);
  });

  it.each([
    ['RUN --mount=type=cache,target=/root/.npm npm ci', 'RUN --mount'],
    ['RUN --network=none \\\n  --mount=type=tmpfs,target=/x true', 'RUN --network'],
    ['COPY --from=build --chmod=755 a b', 'COPY --chmod'],
    ['run <<EOF\nset -e\nEOF', 'RUN <<'],
    ['FROM --platform=$BUILDPLATFORM node:24', 'FROM --platform=$BUILDPLATFORM'],
    ['RUN npm ci && \\\n # --mount is none here\n  echo "RUN --mount"', null],
    ['RUN echo "1 << 2"', null],
    ['COPY --from=build --chown=app a b', null],
  ])('in %j is %j of BuildKit', (line, buildKit) => {
    expect(needs(`FROM node:24\n${line}\n`).buildKit).toBe(buildKit);
  });

  it('is the syntax that its head names, and no comment further down', () => {
    expect(needs('# escape=`\n# syntax=docker/dockerfile:1\nFROM node:24\n').namesSyntax).toBe(true);
    expect(needs('FROM node:24\n# syntax=docker/dockerfile:1\n').namesSyntax).toBe(false);
  });
});
