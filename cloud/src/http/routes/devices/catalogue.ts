/** `/api/services`: the catalogue of standard service classes. */
import { type ServiceCatalogue, serviceCatalogue } from "@porchlight/shared/api";
import { CATALOGUE, OPTIONAL_PROPERTIES, type PropertyDescription } from "@porchlight/shared/model";
import { A_S_U, defineRoute, ok, type Route } from "../../routing/route.ts";

export function catalogueRoutes(): Route[] {
  const catalogue = standardClasses();
  return [
    defineRoute({
      method: "GET",
      path: "/api/services",
      operationId: "listServices",
      tag: "service",
      summary: "List the standard service classes",
      tokens: A_S_U,
      answers: { 200: serviceCatalogue },
      handle: async () => ok(catalogue),
    }),
  ];
}

function standardClasses(): ServiceCatalogue {
  const items = [...CATALOGUE].map(([service, properties]) => {
    const optional = OPTIONAL_PROPERTIES.get(service);
    return { service, properties: shown(properties), ...(optional && { optional: shown(optional) }) };
  });
  return { items };
}

function shown(properties: readonly PropertyDescription[]): ServiceCatalogue["items"][number]["properties"] {
  return properties.map(({ access, values, ...described }) => ({
    ...described,
    ...(values && { values: [...values] }),
    access: [...access],
  }));
}
