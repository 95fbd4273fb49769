/* As much of ESP-IDF as the example uses, over stdin and stdout: so that it runs on a desk. Flash is the environment: BOOTS. */
#ifndef STAND_IN_ESP_IDF
#define STAND_IN_ESP_IDF
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int esp_err_t;
enum { ESP_OK, ESP_FAIL = -1, ESP_ERR_NVS_NO_FREE_PAGES = 0x110d, ESP_ERR_NVS_NEW_VERSION_FOUND = 0x1110 };
#define ESP_ERROR_CHECK(call) ((call) == ESP_OK ? (void)0 : abort())

typedef enum { GPIO_NUM_0, GPIO_NUM_2 = 2 } gpio_num_t;
typedef enum { GPIO_MODE_INPUT = 1, GPIO_MODE_OUTPUT = 2 } gpio_mode_t;
typedef enum { GPIO_PULLUP_ONLY } gpio_pull_mode_t;
static inline esp_err_t gpio_set_direction(gpio_num_t pin, gpio_mode_t mode) { return (void)pin, (void)mode, ESP_OK; }
static inline esp_err_t gpio_set_pull_mode(gpio_num_t pin, gpio_pull_mode_t mode) { return (void)pin, (void)mode, ESP_OK; }
static inline esp_err_t gpio_set_level(gpio_num_t pin, uint32_t level) { return (void)pin, (void)level, ESP_OK; }
static inline int gpio_get_level(gpio_num_t pin) { return (void)pin, 1; }

typedef enum { UART_NUM_1 = 1 } uart_port_t;
typedef enum { UART_DATA_8_BITS = 3 } uart_word_length_t;
typedef enum { UART_PARITY_DISABLE } uart_parity_t;
typedef enum { UART_STOP_BITS_1 = 1 } uart_stop_bits_t;
enum { UART_PIN_NO_CHANGE = -1 };
typedef struct {
  int baud_rate;
  uart_word_length_t data_bits;
  uart_parity_t parity;
  uart_stop_bits_t stop_bits;
} uart_config_t;
typedef uint32_t TickType_t;
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms))
static inline esp_err_t uart_driver_install(uart_port_t port, int rx, int tx, int events, void *queue, int flags) {
  return (void)port, (void)rx, (void)tx, (void)events, (void)queue, (void)flags, ESP_OK;
}
static inline esp_err_t uart_param_config(uart_port_t port, const uart_config_t *line) {
  return (void)port, line->baud_rate == 115200 ? ESP_OK : ESP_FAIL;
}
static inline esp_err_t uart_set_pin(uart_port_t port, int tx, int rx, int rts, int cts) {
  return (void)port, (void)tx, (void)rx, (void)rts, (void)cts, ESP_OK;
}
static inline int uart_read_bytes(uart_port_t port, void *bytes, uint32_t length, TickType_t ticks) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  (void)port;
  if (poll(&input, 1, (int)ticks) != 1) return 0;
  ssize_t const count = read(STDIN_FILENO, bytes, length);
  if (count <= 0) exit(0);
  return (int)count;
}
static inline int uart_write_bytes(uart_port_t port, const void *bytes, size_t length) {
  (void)port;
  if (write(STDOUT_FILENO, bytes, length) != (ssize_t)length) exit(0);
  return (int)length;
}

static inline int64_t esp_timer_get_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
static inline esp_err_t esp_efuse_mac_get_default(uint8_t *mac) { return memcpy(mac, "\x02\x50\x4C\x00\x0E\x01", 6), ESP_OK; }

typedef int nvs_handle_t;
enum { NVS_READWRITE = 1 };
static inline esp_err_t nvs_flash_init(void) { return ESP_OK; }
static inline esp_err_t nvs_flash_erase(void) { return ESP_OK; }
static inline esp_err_t nvs_open(const char *name, int mode, nvs_handle_t *store) { return (void)name, (void)mode, *store = 1, ESP_OK; }
static inline esp_err_t nvs_get_u32(nvs_handle_t store, const char *key, uint32_t *value) {
  const char *const kept = getenv("BOOTS");
  (void)store, (void)key;
  if (kept) *value = (uint32_t)strtoul(kept, NULL, 10);
  return kept ? ESP_OK : ESP_FAIL;
}
static inline esp_err_t nvs_set_u32(nvs_handle_t store, const char *key, uint32_t value) { return (void)store, (void)key, (void)value, ESP_OK; }
static inline esp_err_t nvs_commit(nvs_handle_t store) { return (void)store, ESP_OK; }
static inline void nvs_close(nvs_handle_t store) { (void)store; }

void app_main(void);
int main(void) { app_main(); }
#endif
