/** The list of keyboard shortcuts. */
import { Kbd, Modal } from "@mantine/core";
import look from "../kit/display/rows.module.css";
import { PAGE_KEYS } from "./places.ts";

export default function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <table className={look.rows}>
        <tbody>
          <Row keys={["/"]} label="Search" />
          {PAGE_KEYS.map(({ key, label }) => (
            <Row key={key} keys={["g", key]} label={label} />
          ))}
          <Row keys={["?"]} label="Show keyboard shortcuts" />
        </tbody>
      </table>
    </Modal>
  );
}

function Row({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <tr>
      <td>{label}</td>
      <td>
        {keys.map((key) => (
          <span key={key}>
            <Kbd size="sm">{key}</Kbd>{" "}
          </span>
        ))}
      </td>
    </tr>
  );
}
