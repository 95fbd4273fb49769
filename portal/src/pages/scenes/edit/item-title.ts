/** What people call the property that an item sets, told from others of its class on the same device. */
import type { SceneItem } from "@porchlight/shared/api";
import type { Titles } from "../../../data/titles.ts";
import { describedBy, type SceneHome, selectedBy } from "../words/scene-home.ts";

export interface ItemTitle {
  readonly title: string;
  /** Its name in the API, for words of its value. */
  readonly property: string;
  readonly unit: string | undefined;
}

export function itemTitles(home: SceneHome, titles: Titles): (item: SceneItem) => ItemTitle {
  return (item) => {
    const { service, property } = selectedBy(item.service) ?? { service: item.service, property: item.service };
    const found = describedBy(home, item);
    const alike = (home.services.get(item.target)?.items ?? []).filter((each) => each.service === service).length;
    const [own, ofClass] = [titles.ofProperty(service, property), titles.ofClass(service)];
    const index = alike > 1 && found ? ` ${found.service.index}` : "";
    const isAlone = own === ofClass || found?.service.properties.length === 1;
    const title = isAlone ? `${own}${index}` : `${ofClass}${index}, ${own.charAt(0).toLowerCase()}${own.slice(1)}`;
    return { title, property, unit: found?.descriptor.unit };
  };
}
