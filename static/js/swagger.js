// Swagger UI on the page to try out the API. It is here and not in the page, whose content policy forbids
// inline scripts.

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
    // The page has its own heading.
    plugins: [{ components: { InfoContainer: () => null } }],
    // Otherwise the description would be sent to a third-party server for validation.
    validatorUrl: null,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    requestInterceptor: (/** @type {any} */ request) => withFormToken(request, csrf),
  });
}

show();
