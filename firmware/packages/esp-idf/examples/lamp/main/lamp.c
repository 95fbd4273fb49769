/*
 * A lamp on an ESP32: an LED, the BOOT button, and a hub on UART 1. UART 0 stays the console: nothing else may be written to the line of a hub.
 *
 *   idf.py set-target esp32 && idf.py flash monitor
 *   porchlight-agent run … --serial /dev/ttyUSB1
 *
 * The edgeId is the chip's own MAC, and the number of boots is counted in flash.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "driver/gpio.h"
#include "driver/uart.h"
#include "esp_mac.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "nvs.h"
#include "nvs_flash.h"
#include "porchlight.h"

#define LAMP_PIN GPIO_NUM_2
#define BUTTON_PIN GPIO_NUM_0
#define HUB_UART UART_NUM_1
#define HUB_TX 17
#define HUB_RX 16

static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property button_properties[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};
enum { SWITCH, BUTTON };
static const pl_service services[] = {{"Switch", 0, switch_properties, 1}, {"Button", 0, button_properties, 1}};
static const pl_about about = {"Porchlight", "ESP32 lamp", "1.0.0", NULL, NULL};

static char edge_id[18];
static bool is_on;
static uint32_t blinks_until;
static pl_node node;

static uint32_t milliseconds(void) { return (uint32_t)(esp_timer_get_time() / 1000); }

static void show(void) {
  bool const is_blinking = (int32_t)(blinks_until - milliseconds()) > 0;
  gpio_set_level(LAMP_PIN, is_blinking ? (milliseconds() / 250) % 2 == 0 : is_on);
}

static uint8_t read_lamp(void *context, pl_address address, pl_value *value) {
  (void)context;
  (void)address;
  value->type = PL_BOOLEAN;
  value->as.boolean = is_on;
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  is_on = value->as.boolean;
  show();
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *context, uint8_t place, uint32_t seconds) {
  (void)context;
  (void)place;
  blinks_until = milliseconds() + seconds * 1000;
  show();
  return PL_OK;
}

/* The number of this boot; 0, which says that it is not known, when the flash cannot be written. */
static uint32_t count_boot(void) {
  nvs_handle_t store;
  uint32_t boot = 0;
  esp_err_t opened = nvs_flash_init();
  if (opened == ESP_ERR_NVS_NO_FREE_PAGES || opened == ESP_ERR_NVS_NEW_VERSION_FOUND) {
    nvs_flash_erase();
    opened = nvs_flash_init();
  }
  if (opened != ESP_OK || nvs_open("porchlight", NVS_READWRITE, &store) != ESP_OK) return 0;
  (void)nvs_get_u32(store, "boot", &boot); /* Not there at the first boot: it stays 0. */
  boot = boot == UINT32_MAX ? 1 : boot + 1;
  bool const is_kept = nvs_set_u32(store, "boot", boot) == ESP_OK && nvs_commit(store) == ESP_OK;
  nvs_close(store);
  return is_kept ? boot : 0;
}

static void open_line(void) {
  uart_config_t const line = {
      .baud_rate = 115200, .data_bits = UART_DATA_8_BITS, .parity = UART_PARITY_DISABLE, .stop_bits = UART_STOP_BITS_1};
  ESP_ERROR_CHECK(uart_driver_install(HUB_UART, 1024, 1024, 0, NULL, 0));
  ESP_ERROR_CHECK(uart_param_config(HUB_UART, &line));
  ESP_ERROR_CHECK(uart_set_pin(HUB_UART, HUB_TX, HUB_RX, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE));
}

static void send_all(void) {
  uint8_t bytes[64];
  for (size_t count; (count = pl_transmit(&node, bytes, sizeof bytes)) > 0;) uart_write_bytes(HUB_UART, bytes, count);
}

static void look_at_button(void) {
  static const pl_value press = {PL_TEXT, {.text = {"press", 5}}};
  static bool was_down;
  static uint32_t changed_at;
  pl_address const button = {0, BUTTON, 0}, on = {0, SWITCH, 0};
  bool const is_down = gpio_get_level(BUTTON_PIN) == 0;
  /* A contact bounces for some milliseconds. */
  if (is_down == was_down || milliseconds() - changed_at < 30) return;
  was_down = is_down;
  changed_at = milliseconds();
  if (!is_down) return;
  pl_event(&node, button, &press);
  is_on = !is_on;
  pl_changed(&node, on);
}

void app_main(void) {
  uint8_t mac[8] = {0};
  ESP_ERROR_CHECK(esp_efuse_mac_get_default(mac));
  snprintf(edge_id, sizeof edge_id, "%02X-%02X-%02X-%02X-%02X-%02X", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
  gpio_set_direction(LAMP_PIN, GPIO_MODE_OUTPUT);
  gpio_set_direction(BUTTON_PIN, GPIO_MODE_INPUT);
  gpio_set_pull_mode(BUTTON_PIN, GPIO_PULLUP_ONLY);
  open_line();
  static const pl_driver driver = {read_lamp, write_lamp, identify_lamp};
  static pl_device device;
  device = (pl_device){edge_id, services, 2, &about};
  static pl_config config;
  config = (pl_config){edge_id, &about, &device, 1, count_boot(), &driver, NULL};
  pl_fault const fault = pl_start(&node, &config, (uint16_t)config.boot, milliseconds());
  if (fault != PL_STARTED) {
    printf("the tables are wrong: %d\n", (int)fault);
    return;
  }
  for (uint8_t bytes[64];;) {
    int const held = uart_read_bytes(HUB_UART, bytes, sizeof bytes, pdMS_TO_TICKS(10));
    for (int taken = 0; taken < held;) {
      taken += (int)pl_receive(&node, bytes + taken, (size_t)(held - taken), milliseconds());
      send_all();
    }
    look_at_button();
    pl_tick(&node, milliseconds());
    send_all();
    show();
  }
}
