import { describe, expect, it } from 'vitest';
import { recipeOf } from '../../../src/core/detection/dockerfile.ts';

const portOf = (...lines: string[]) => recipeOf({ path: 'Dockerfile', content: lines.join('\n') }).port;

describe('the port that a Dockerfile exposes', () => {
  it('is the first of its last stage', () => {
    expect(portOf('FROM node', 'EXPOSE 8080', 'EXPOSE 9090')).toBe(8080);
    expect(portOf('FROM node', 'EXPOSE 8080/tcp 9090')).toBe(8080);
    expect(portOf('FROM node AS build', 'EXPOSE 5173', 'FROM node', 'EXPOSE 8080', 'EXPOSE 9090')).toBe(8080);
  });

  it('is that of the last stage that has one', () => {
    expect(portOf('FROM node AS base', 'EXPOSE 8080', 'EXPOSE 9090', 'FROM base', 'COPY . .')).toBe(8080);
  });

  it('is the value or the default of a variable', () => {
    expect(portOf('FROM node', 'ENV PORT=8080', 'EXPOSE $PORT', 'EXPOSE 9090')).toBe(8080);
    expect(portOf('FROM node', 'EXPOSE ${PORT:-8080}')).toBe(8080);
  });

  it('stands in no comment', () => {
    expect(portOf('FROM node', '# EXPOSE 9090', 'expose 8080')).toBe(8080);
  });
});
