import type { WrittenContent } from './content.ts';

export interface GraphqlOperation {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
}

/** An operation of GraphQL, for POST: https://graphql.github.io/graphql-over-http/draft/#sec-POST */
export function graphqlContent({
  query,
  variables,
  operationName,
}: GraphqlOperation): WrittenContent & { body: string } {
  const operation = {
    query,
    ...(operationName === undefined ? {} : { operationName }),
    ...(variables === undefined ? {} : { variables }),
  };
  return { body: JSON.stringify(operation), contentType: 'application/json' };
}
