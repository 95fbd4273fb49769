/** `/api/services`: the catalogue of standard service classes. */
import { type ServiceCatalogue, serviceCatalogue } from "@porchlight/shared/api";
import { CATALOGUE, CATALOGUE_TITLES, OPTIONAL_PROPERTIES, type PropertyDescription } from "@porchlight/shared/model";
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
    const of = (all: readonly PropertyDescription[]) => all.map((each) => shown(service, each));
    const title = CATALOGUE_TITLES.get(service)?.title ?? service;
    return { service, title, properties: of(properties), ...(optional && { optional: of(optional) }) };
  });
  return { items };
}

function shown(
  service: string,
  description: PropertyDescription,
): ServiceCatalogue["items"][number]["properties"][number] {
  const { access, values, ...described } = description;
  const title = CATALOGUE_TITLES.get(service)?.properties[described.property] ?? described.property;
  return { ...described, title, ...(values && { values: [...values] }), access: [...access] };
}
