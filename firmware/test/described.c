/*
 * What a node with the tables in TABLES describes, as hex: each line is a frame of its answer to a DESCRIBE of that place and part, which
 * come as pairs of numbers on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../porchlight.c"

#include TABLES

#include <stdio.h>
#include <stdlib.h>

static uint8_t nothing(void *context, pl_address address, pl_value *value) {
  (void)context, (void)address, (void)value;
  return PL_OK;
}

static uint8_t blink(void *context, uint8_t place, uint32_t seconds) {
  (void)context, (void)place, (void)seconds;
  return PL_OK;
}

static void said(pl_node *node) {
  uint8_t bytes[64];
  for (size_t count; (count = pl_transmit(node, bytes, sizeof bytes)) > 0;)
    for (size_t at = 0; at < count; at++) printf("%02x", bytes[at]);
  printf("\n");
}

int main(int count, char **words) {
  static pl_node node;
  static pl_driver const driver = {nothing, nothing, blink};
  pl_config const config = {devices[0].edge_id, &node_about, devices, (uint8_t)COUNT(devices), 1, &driver, NULL};
  pl_fault const fault = pl_start(&node, &config, 0, 0);
  if (fault != PL_STARTED) return fprintf(stderr, "the tables are wrong (%d)\n", (int)fault), 1;
  for (int each = 1; each + 1 < count; each += 2) {
    uint8_t body[] = {0x84, DESCRIBE, 1, (uint8_t)atoi(words[each]), (uint8_t)atoi(words[each + 1])};
    uint16_t const crc = crc_of(body, sizeof body);
    uint8_t const check[] = {(uint8_t)(crc >> 8), (uint8_t)(crc & 0xFF)};
    uint8_t frame[2 + 2 * (sizeof body + sizeof check)], length = 0;
    frame[length++] = END;
    for (size_t at = 0; at < sizeof body + sizeof check; at++) {
      uint8_t const byte = at < sizeof body ? body[at] : check[at - sizeof body];
      if (byte == END || byte == ESC) frame[length++] = ESC;
      frame[length++] = byte == END ? 0xDC : byte == ESC ? 0xDD : byte;
    }
    frame[length++] = END;
    pl_receive(&node, frame, length, 0);
    said(&node);
  }
  return 0;
}
