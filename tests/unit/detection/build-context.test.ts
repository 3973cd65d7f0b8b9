import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { contextAbove, pathsIn } from '../../../src/core/detection/build-context.ts';
import { recipeOf } from '../../../src/core/detection/dockerfile.ts';
import { groupedLeftOut } from '../../../src/core/detection/left-out.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';

const filesOf = (files: Record<string, string>) => Object.entries(files).map(([path, content]) => ({ path, content }));
const contextOf = (path: string, lines: string, others: string[] = []) => {
  const files = filesOf({
    [path]: `FROM scratch\n${lines}\n`,
    ...Object.fromEntries(others.map((each) => [each, ''])),
  });
  return contextAbove(recipeOf(files[0]!), pathsIn(files));
};

describe('a Dockerfile that copies its own folder by a longer path', () => {
  it.each([
    ['COPY ["MyApi/MyApi.csproj", "MyApi/"]', 'MyApi/Dockerfile', '.'],
    ['COPY MyApi/MyApi.csproj Shared/Shared.csproj MyApi/', 'MyApi/Dockerfile', '.'],
    ['COPY --chown=app --link ./MyApi /src', 'MyApi/Dockerfile', '.'],
    ['ADD MyApi/*.csproj MyApi/', 'MyApi/Dockerfile', '.'],
    ['COPY services/api/package.json .', 'services/api/Dockerfile', '.'],
    ['COPY ["src/MyApi/MyApi.csproj", "src/MyApi/"]', 'src/MyApi/Dockerfile', '.'],
    ['COPY ["MyApi/MyApi.csproj", "MyApi/"]', 'src/MyApi/Dockerfile', 'src'],
  ])('is built from above: %s in %s from %s', (lines, path, context) => {
    expect(contextOf(path, lines)).toBe(context);
  });

  it('is built from the root where that alone has all that it copies', () => {
    const lines = 'COPY go.mod go.sum ./\nCOPY . .';
    expect(contextOf('scripts/Dockerfile', lines, ['go.mod', 'go.sum', 'main.go'])).toBe('.');
    expect(contextOf('scripts/Dockerfile', lines, ['go.mod', 'go.sum', 'scripts/go.mod'])).toBeNull();
    expect(contextOf('scripts/Dockerfile', lines, ['main.go'])).toBeNull();
  });

  it('is built from above where that holds what it copies, and its own folder does not', () => {
    const files = ['mysite/requirements.txt', 'mysite/mysite/settings.py'];
    expect(contextOf('mysite/Dockerfile', 'COPY mysite/requirements.txt .', files)).toBe('.');
  });

  it('is built from its folder where that holds one of the same name', () => {
    expect(contextOf('app/Dockerfile', 'COPY app/ /app', ['app/requirements.txt', 'app/app/main.py'])).toBeNull();
    expect(contextOf('app/Dockerfile', 'COPY app/*.py /app/', ['app/app/main.py'])).toBeNull();
  });
});

describe('a Dockerfile that does not', () => {
  it.each([
    ['COPY . .', 'api/Dockerfile'],
    ['COPY package.json api/', 'api/Dockerfile'],
    ['COPY --from=build api/server /server', 'api/Dockerfile'],
    ['COPY --chown=app --from=build api/server /server', 'api/Dockerfile'],
    ['COPY apis/list.json .', 'api/Dockerfile'],
    ['COPY api/server.js .', 'Dockerfile'],
    ['COPY', 'api/Dockerfile'],
  ])('is built from its folder: %s in %s', (lines, path) => {
    expect(contextOf(path, lines)).toBeNull();
  });
});

describe('services that are built from above', () => {
  const csproj = '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>';
  const copying = (name: string) => `FROM dotnet\nEXPOSE 8080\nCOPY ["${name}/${name}.csproj", "${name}/"]\nCOPY . .\n`;
  const route = (path: string) => `app.MapGet("${path}", () => "");`;

  it('have the names and the programs of their folders', () => {
    const files = filesOf({
      'Orders/Dockerfile': copying('Orders'),
      'Orders/Orders.csproj': csproj,
      'Orders/Program.cs': route('/orders'),
      'Mails/Dockerfile': copying('Mails'),
      'Mails/Mails.csproj': csproj,
      'Mails/Program.cs': route('/mails'),
    });
    const { specs } = proposal(files, { folderName: 'shop', isSecret: () => false });
    expect(specs.map(({ path }) => path)).toEqual(['wrkbench.mails.yml', 'wrkbench.orders.yml']);
    const { services, endpoints } = readSpec(specs[1]!.content, 'wrkbench.orders.yml');
    expect(services).toMatchObject([
      { name: 'orders', image: { kind: 'build', context: '.', dockerfile: 'Orders/Dockerfile' } },
    ]);
    expect(endpoints.map(({ path }) => path)).toEqual(['/orders']);
  });

  it('have no program of another folder', () => {
    const files = filesOf({
      'web/Dockerfile': 'FROM nginx\nCOPY web/pages /usr/share/nginx/html\n',
      'Orders/Dockerfile': copying('Orders'),
      'Orders/Orders.csproj': csproj,
      'Orders/Program.cs': route('/orders'),
    });
    const { leftOut } = proposal(files, { folderName: 'shop', isSecret: () => false });
    expect(groupedLeftOut(leftOut)).toEqual([
      { what: 'web/Dockerfile', why: 'it serves files or passes requests on (nginx)' },
    ]);
  });
});
