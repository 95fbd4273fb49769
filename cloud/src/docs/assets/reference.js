/** Draws the reference: fetches the OpenAPI document from this service, and lets each route be tried with a token kept in memory only. */
import { mendAsDrawn, porchlightParts } from "./reference-parts.js";
import { madeReadable } from "./reference-spec.js";

const place = document.getElementById("reference");

followScheme();
try {
  const response = await fetch("/api/openapi.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  draw(madeReadable(await response.json(), location.origin));
} catch (error) {
  const sentence = `The OpenAPI document could not be loaded (${error.message}). Reload the page to try again.`;
  place.textContent = sentence;
}

function draw(spec) {
  mendAsDrawn(place);
  globalThis.SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    plugins: [porchlightParts],
    layout: "PorchlightLayout",
    docExpansion: "list",
    deepLinking: false,
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    persistAuthorization: false,
    syntaxHighlight: { activated: false },
    tryItOutEnabled: true,
    validatorUrl: null,
    // A call goes out without what the browser itself would add of this site.
    requestInterceptor: (request) => Object.assign(request, { credentials: "omit" }),
  });
}

/** Swagger UI has its dark colours under a class. */
function followScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}
