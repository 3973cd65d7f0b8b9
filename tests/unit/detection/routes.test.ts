import { describe, expect, it } from 'vitest';
import type { RepositoryFile } from '../../../src/core/detection/files.ts';
import { healthRoute } from '../../../src/core/detection/routes/route.ts';
import { routesIn } from '../../../src/core/detection/routes/routes.ts';

const found = (files: Record<string, string>) =>
  routesIn(Object.entries(files).map(([path, content]): RepositoryFile => ({ path, content }))).map(
    ({ method, path }) => `${method} ${path}`,
  );

describe('routes in JavaScript', () => {
  it('are those of routers mounted in other files, whatever way they are imported', () => {
    expect(
      found({
        'src/app.ts': `import express from 'express';
import routes from './routes';
import { admin as office } from './admin.js';
const app = express();
app.use('/api', routes);
app.use('/office', guard, office);
app.use('/late', require('./late'));
app.get<{ id: string }>('/users/:id', one);`,
        'src/routes/index.ts': `export default Router().use('/v1', v1).use(extra);
import v1 from './v1';
import extra from './extra';`,
        'src/routes/v1.ts': `const router = express.Router();
router.get('/tags', auth.optional, list);
router
  .route('/tags/:tag')
  .get(one)
  .put(change);
export default router;`,
        'src/routes/extra.ts': `const router = Router(); router.get('/extra', f); export default router;`,
        'src/admin.ts': `export const admin = Router(); admin.delete('/cache', f);`,
        'src/late.js': `const router = require('express').Router(); router.get('/', f); module.exports = router;`,
      }),
    ).toEqual([
      'GET /users/{id}',
      'GET /api/v1/tags',
      'GET /api/v1/tags/{tag}',
      'PUT /api/v1/tags/{tag}',
      'GET /api/extra',
      'DELETE /office/cache',
      'GET /late',
    ]);
  });

  it('are those of a list that a loop mounts', () => {
    expect(
      found({
        'app.js': `const routes = require('./routes'); const app = express(); app.use('/v1', routes);`,
        'routes/index.js': `const router = express.Router();
const users = require('./users');
const all = [{ path: '/users', route: users }];
all.forEach((each) => router.use(each.path, each.route));
module.exports = router;`,
        'routes/users.js': `const router = express.Router(); router.get('/', f); module.exports = router;`,
      }),
    ).toEqual(['GET /v1/users']);
  });

  it.each([
    ['a client', `axios.get('/users'); await request(app).get('/x'); fetch('/y')`],
    ['a comment', `const app = express();\n// app.get('/old', f)\n/* app.get('/older', f) */`],
    ['a path that only the running program knows', 'const app = express(); app.get(`/${name}`, f); app.get(path, f);'],
    ['a setting', `const app = express(); app.get('env');`],
  ])('are not taken from %s', (_, content) => {
    expect(found({ 'app.js': content })).toEqual([]);
  });

  it('are those of Koa, Fastify and Hono with their prefixes', () => {
    expect(
      found({
        'koa.js': `const router = new Router({ prefix: '/koa' }); router.get('/a', f); app.use(router.routes());`,
        'fastify.js': `const fastify = Fastify(); fastify.register(import('./plugin.js'), { prefix: '/fast' });`,
        'plugin.js': `export default async (fastify) => { fastify.post('/b', f); fastify.route({ method: 'PUT', url: '/c' }); };`,
        'hono.ts': `import { sub } from './sub';\nconst app = new Hono(); app.route('/hono', sub);`,
        'sub.ts': `export const sub = new Hono(); sub.get('/d', f);`,
      }),
    ).toEqual(['POST /fast/b', 'PUT /fast/c', 'GET /hono/d', 'GET /koa/a']);
  });

  it('are those of controllers of NestJS', () => {
    expect(
      found({
        'main.ts': `import { NestFactory } from '@nestjs/core'; app.setGlobalPrefix('api');`,
        'cats.ts': `import { Controller } from '@nestjs/common';
@Controller({ path: 'cats', version: '1' }) class A { @Get() all() {} @Get(':id/toys') toys() {} @Post('search') s() {} }
@Controller() class B { @Get('health') h() {} }`,
      }),
    ).toEqual(['GET /api/health', 'GET /api/cats', 'GET /api/cats/{id}/toys', 'POST /api/cats/search']);
  });
});

it('routes of files are where Next.js and SvelteKit look for them', () => {
  expect(
    found({
      'src/app/api/(own)/items/[id]/route.ts':
        'export async function GET() {}\nexport const PUT = handler;\n// export function POST() {}',
      'src/app/route.js': 'export function GET() {}',
      'src/routes/tags/+server.ts': 'export const GET = async () => {};',
      'pages/api/users/index.ts': 'export default handler;',
      'pages/api/users/[...path].ts': 'export default handler;',
      'src/app/page.tsx': 'export default Page;',
    }),
  ).toEqual([
    'GET /api/items/{id}',
    'PUT /api/items/{id}',
    'GET /',
    'GET /tags',
    'GET /api/users',
    'GET /api/users/{path}',
  ]);
});

describe('routes in Python', () => {
  it('are those of FastAPI, with prefixes of routers, of their mounts and of settings', () => {
    expect(
      found({
        'app/main.py': `from fastapi import FastAPI
from app.api import router as api_router
from .settings import settings
def get_application():
    application = FastAPI()
    application.include_router(api_router, prefix=settings.API_PREFIX)
    return application
app = get_application()`,
        'app/settings.py': 'API_PREFIX: str = "/api"',
        'app/api/__init__.py': `from fastapi import APIRouter
from app.api import items, secret
router = APIRouter()
router.include_router(items.router, prefix="/items")
router.include_router(
    secret.router,
    prefix=os.environ["WHERE"],
)`,
        'app/api/items.py': `from fastapi import APIRouter
router = APIRouter(prefix="/v2")
@router.get(
    "",
    response_model=list[str],
)
def all(): ...
@router.put("/{item_id}")
def change(item_id: int): ...`,
        'app/api/secret.py': `from fastapi import APIRouter
router = APIRouter()
@router.get("/hidden")
def hidden(): ...`,
      }),
    ).toEqual(['GET /api/items/v2', 'PUT /api/items/v2/{item_id}', 'GET /api/{prefix}/hidden']);
  });

  it('are those of blueprints of Flask that a package makes and its modules fill', () => {
    expect(
      found({
        'shop/__init__.py': `from flask import Flask
def create_app():
    app = Flask(__name__)
    from shop.api import bp as api_bp
    app.register_blueprint(api_bp, url_prefix='/api')
    return app`,
        'shop/api/__init__.py': `from flask import Blueprint\nbp = Blueprint('api', __name__)\nfrom shop.api import users`,
        'shop/api/users.py': `from shop.api import bp\n@bp.route('/users', methods=['GET', 'POST'])\ndef users(): ...`,
      }),
    ).toEqual(['GET /api/users', 'POST /api/users']);
  });

  it('are those of Django, as paths, expressions and routers of its REST framework', () => {
    expect(
      found({
        'site/settings.py': `ROOT_URLCONF = 'site.urls'`,
        'site/urls.py': `"""Examples:
    url(r'^$', Home.as_view())
"""
urlpatterns = [
    path('admin/', admin.site.urls),
    path('books/<int:pk>/', detail),
    url(r'^api/', include('books.urls', namespace='books')),
]`,
        'books/urls.py': `router = DefaultRouter()
router.register(r'authors', AuthorViewSet)
urlpatterns = [url(r'^', include(router.urls)), re_path(r'^feed/(?P<slug>[-\\w]+)/?$', feed)]`,
        'unused/urls.py': `urlpatterns = [path('unused/', nobody)]`,
      }),
    ).toEqual(['GET /books/{pk}/', 'GET /api/authors/', 'POST /api/authors/', 'GET /api/feed/{slug}']);
  });
});

describe('routes in Django', () => {
  it('are those of routers of other modules, each below its own prefix', () => {
    expect(
      found({
        'site/settings.py': `ROOT_URLCONF = 'site.urls'`,
        'site/urls.py': `from shop import routers as shop_routers
from shop.routers import users as people
urlpatterns = [
    path("api/orders/", include(shop_routers.orders.urls)),
    path("api/", include(shop_routers.catalogue.urls)),
    path("people/<int:team>/", include(people.urls)),
    path("gone/", include(nowhere.orders.urls)),
]`,
        'shop/routers.py': `orders = DefaultRouter()
orders.register("", OrderViewSet, basename="order")
catalogue = DefaultRouter()
catalogue.register("books", BookViewSet)
catalogue.register(r"shelves/(?P<shelf>[^/.]+)/books", ShelfViewSet)
users = SimpleRouter()
users.register("", UserViewSet)`,
      }),
    ).toEqual([
      'GET /api/orders/',
      'POST /api/orders/',
      'GET /api/books/',
      'POST /api/books/',
      'GET /api/shelves/{shelf}/books/',
      'POST /api/shelves/{shelf}/books/',
      'GET /people/{team}/',
      'POST /people/{team}/',
    ]);
  });

  it('are those of lists that are included, by a variable or where they stand, below what only the running program knows', () => {
    expect(
      found({
        'site/settings.py': `ROOT_URLCONF = 'site.urls'`,
        'site/urls.py': `prefix = settings.PREFIX
urlpatterns = [
    path(f"{prefix}admin/login/", login),
    path(prefix, include("shop.urls")),
]
urlpatterns += [path("late/", late)]`,
        'shop/urls.py': `item_urls: list = [path("", item), path("parts/", parts)]
unused = [path("unused/", nobody)]
urlpatterns = [
    path("v1/", include([path("tags/", tags), path("own/", include((item_urls, "items")))])),
    path("items/<int:pk>/", include(item_urls)),
    path("", index),
]`,
      }),
    ).toEqual([
      'GET /admin/login/',
      'GET /v1/tags/',
      'GET /v1/own/',
      'GET /v1/own/parts/',
      'GET /items/{pk}/',
      'GET /items/{pk}/parts/',
      'GET /',
      'GET /late/',
    ]);
  });
});

describe('routes in Go', () => {
  it('are those of groups that are handed to functions of other packages', () => {
    expect(
      found({
        'main.go': `package main
func main() {
	r := gin.Default()
	v1 := r.Group("/api")
	users.Register(v1.Group("/users"))
	v1.GET("/version", version)
}`,
        'users/routers.go': `package users
func Register(router *gin.RouterGroup) {
	router.GET("/", list)
	router.GET("/:name", one)
	nested := router.Group("/own")
	deeper(nested)
}
func deeper(group *gin.RouterGroup) { group.POST("", create) }`,
      }),
    ).toEqual(['GET /api/version', 'GET /api/users/', 'GET /api/users/{name}', 'POST /api/users/own']);
  });

  it('are those of chi with its blocks and mounts, of net/http with methods, and of gorilla', () => {
    expect(
      found({
        'chi.go': `package main
func main() {
	r := chi.NewRouter()
	r.Route("/v1", func(r chi.Router) {
		r.Get("/a", a)
		r.Route("/{id}", func(r chi.Router) { r.Put("/b", b) })
	})
	r.Mount("/admin", adminRouter())
}
func adminRouter() http.Handler { r := chi.NewRouter(); r.Get("/c", c); return r }`,
        'mux/mux.go': `package mux
func routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /d/{$}", d)
	mux.HandleFunc("/e", e)
	router.HandleFunc("/f", f).Methods("POST")
	mux.HandleFunc("GET /files/{path...}", g)
}`,
      }),
    ).toEqual(['GET /v1/a', 'PUT /v1/{id}/b', 'GET /admin/c', 'GET /d/', 'GET /e', 'POST /f', 'GET /files/{path}']);
  });
});

describe('routes in other languages', () => {
  it('are those of Rails, of its resources as they are limited, and of one of them or all', () => {
    expect(
      found({
        'config/routes.rb': `Rails.application.routes.draw do
  resources :tags, only: [] do
    member do
      get :usage
    end
    collection do
      get :popular
    end
    get :recent, on: :collection
  end
  resources :posts, only: %i[index show]
  resource :profile, except: [:show, :create, :update]
end`,
      }),
    ).toEqual([
      'GET /tags/{tag_id}/usage',
      'GET /tags/popular',
      'GET /tags/recent',
      'GET /posts',
      'GET /posts/{id}',
      'DELETE /profile',
    ]);
  });

  it.each(['internal/mocks/server.js', 'src/mock-server.js', 'pkg/testing/server.js', 'fake_api.js'])(
    'are not those of what is only there for tests: %s',
    (path) => {
      expect(found({ [path]: `const app = express(); app.get('/b', f);` })).toEqual([]);
    },
  );

  it('are those of Spring, in Java and in Kotlin', () => {
    expect(
      found({
        'A.java': `@RestController
@RequestMapping(value = "/a", produces = "application/json")
class A {
  @GetMapping List<A> all() {}
  @RequestMapping(path = "/x/{id:[0-9]+}", method = RequestMethod.PUT) void put() {}
}`,
        'B.kt': `@RestController class B { @PostMapping("/b", consumes = ["text/plain"]) fun b() {} }`,
        'C.java': 'class C { @GetMapping("/no-controller") void c() {} }',
      }),
    ).toEqual(['GET /a', 'PUT /a/x/{id}', 'POST /b']);
  });

  it('are those of axum with nested routers, and of actix with scopes', () => {
    expect(
      found({
        'axum.rs': `fn app() -> Router { Router::new().route("/a", get(a).post(b)).nest("/in", Router::new().route("/c", get(c))) }`,
        'actix.rs': `#[get("/d/{id}")]
async fn d() -> impl Responder {}
fn main() { App::new().service(web::scope("/scope").service(d)) }`,
      }),
    ).toEqual(['GET /a', 'POST /a', 'GET /in/c', 'GET /scope/d/{id}']);
  });

  it('are those of controllers of ASP.NET, whose actions may have names', () => {
    expect(
      found({
        'WeatherForecastController.cs': `[ApiController]
[Route("[controller]")]
public class WeatherForecastController : ControllerBase
{
    [HttpGet(Name = "GetWeatherForecast")]
    public IEnumerable<WeatherForecast> Get() => [];
    [HttpGet("{id:int}", Name = "One")]
    public int One(int id) => id;
    [HttpPost()]
    public void Add() {}
    [HttpDelete(Order = 1)]
    public void Remove() {}
}`,
      }),
    ).toEqual([
      'GET /weatherforecast',
      'GET /weatherforecast/{id}',
      'POST /weatherforecast',
      'DELETE /weatherforecast',
    ]);
  });

  it('have health paths first, and none of the pages about the service itself', () => {
    expect(
      found({
        'app.js': `const app = express(); app.get('/b', f); app.get('/docs', f); app.get('/metrics', f); app.get('/healthz', f);`,
      }),
    ).toEqual(['GET /healthz', 'GET /b']);
  });
});

describe('the route that tells whether a service is up', () => {
  const healthOf = (...paths: string[]) =>
    healthRoute(paths.map((path) => ({ method: 'GET' as const, path, from: 'main.go' })))?.path;

  it('is called so, and is no status of something else', () => {
    expect(healthOf('/v1/integrations/status', '/v1/users', '/healthcheck')).toBe('/healthcheck');
    expect(healthOf('/users', '/v1/integrations/status')).toBe('/v1/integrations/status');
  });

  it('is the highest of several', () => {
    expect(healthOf('/api/v1/health', '/health')).toBe('/health');
  });

  it('is none that asks for a value', () => {
    expect(healthOf('/checks/{id}/health', '/users')).toBeUndefined();
  });
});
