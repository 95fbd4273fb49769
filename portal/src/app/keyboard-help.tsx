/** The list of keys. */
import { Kbd, Modal, Table } from "@mantine/core";
import { PAGE_KEYS } from "./shortcuts.ts";

export default function KeyboardHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <Table>
        <Table.Tbody>
          <Row keys={["/"]} label="Search" />
          {PAGE_KEYS.map(({ key, label }) => (
            <Row key={key} keys={["g", key]} label={label} />
          ))}
          <Row keys={["?"]} label="Show keyboard shortcuts" />
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Row({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <Table.Tr>
      <Table.Td>{label}</Table.Td>
      <Table.Td>
        {keys.map((key) => (
          <span key={key}>
            <Kbd size="sm">{key}</Kbd>{" "}
          </span>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
