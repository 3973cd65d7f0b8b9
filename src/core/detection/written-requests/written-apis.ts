import { filesCalled, folderOf, type RepositoryFile } from '../files.ts';
import { type Api, apiDescribed } from '../open-api.ts';
import { brunoRequests } from './bruno.ts';
import { curlRequests } from './curl.ts';
import { httpFileRequests } from './http-files.ts';
import { postmanRequests } from './postman.ts';
import { documentOf, type WrittenRequest } from './written-request.ts';

/** Where people write down requests for each other, the fullest first. */
const READERS: readonly { name: RegExp; read(file: RepositoryFile): WrittenRequest[] }[] = [
  { name: /(?:postman|collection)[\w. -]*\.json$/i, read: postmanRequests },
  { name: /\.(?:http|rest|hurl)$/, read: ({ content }) => httpFileRequests(content) },
  {
    name: /^readme(?:\.\w+)?\.(?:md|rst|adoc|txt)$|^(?:api|usage|getting-?started|quick-?start)\.md$/i,
    read: ({ content }) => curlRequests(content),
  },
];
/** More describe the same. */
const MOST = 6;
const MOST_FILES = 30;

/** What people have written down of the services' requests, a file each. */
export function writtenApis(files: readonly RepositoryFile[]): Api[] {
  const found = READERS.flatMap(({ name, read }) =>
    filesCalled(files, name)
      .slice(0, MOST_FILES)
      .flatMap((file) => {
        const requests = read(file);
        const api = requests.length === 0 ? null : apiDescribed(documentOf(requests), file.path);
        return api === null ? [] : [api];
      }),
  );
  return [...brunoApis(files), ...found].slice(0, MOST);
}

const MOST_OF_COLLECTION = 200;

/** A collection of Bruno is a folder with a file for each request. */
function brunoApis(files: readonly RepositoryFile[]): Api[] {
  const all = filesCalled(files, /\.bru$/).slice(0, MOST_OF_COLLECTION);
  if (all.length === 0) return [];
  const api = apiDescribed(documentOf(brunoRequests(all)), all[0]!.path);
  return api === null ? [] : [{ ...api, folder: folderOf(all[0]!.path) }];
}
