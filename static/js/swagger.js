// Swagger UI on the page where the API is tried out: here and not in the page, whose policy allows
// no script of its own.

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** A change that somebody makes who has signed in here needs the token of a form.
 * @param {{ method?: string, headers: Record<string, string> }} request
 * @param {string} csrf */
function withFormToken(request, csrf) {
  if (!READS.has(request.method ?? "GET")) request.headers["X-CSRFToken"] = csrf;
  return request;
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function show() {
  const place = document.getElementById("swagger-ui");
  const swagger = /** @type {any} */ (window)["SwaggerUIBundle"];
  if (!place || !swagger) return;
  const { schema = "", csrf = "" } = place.dataset;
  document.documentElement.classList.toggle("dark-mode", isDark());
  swagger({
    url: schema,
    domNode: place,
    presets: [swagger.presets.apis],
    layout: "BaseLayout",
    // The page has a heading of its own.
    plugins: [{ components: { InfoContainer: () => null } }],
    // Otherwise the description is sent to other people's server for an opinion.
    validatorUrl: null,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    requestInterceptor: (/** @type {any} */ request) => withFormToken(request, csrf),
  });
}

show();
