/** What an ESPHome device announces of itself (`_esphomelib._tcp`). Nobody has proved it. Pure. */
import { edgeIdOfEui, type NetworkService } from "@porchlight/driver-kit";
import type { AnnouncedEspHome } from "./esphome-place.ts";

const LONGEST = 128;

export function announcedEspHome({ instance, txt }: Pick<NetworkService, "instance" | "txt">): AnnouncedEspHome {
  const text = (key: string) => (txt[key] ? txt[key].slice(0, LONGEST) : undefined);
  const project = text("project_name")?.split(".", 2);
  return {
    edgeId: edgeIdOfEui(txt.mac ?? ""),
    about: {
      manufacturer: project?.[1] === undefined ? "ESPHome" : project[0],
      model: project?.[1] ?? text("board"),
      firmware: text("version"),
      serial: instance.slice(0, LONGEST),
      name: text("friendly_name") ?? instance.slice(0, LONGEST),
    },
    encrypts: txt.api_encryption !== undefined,
  };
}
