#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "base/message.hpp"
#include "cli/command.hpp"
#include "cli/stop_signals.hpp"
#include "jouletree/error.hpp"
#include "report/http/http_server.hpp"
#include "report/page/page_parts.hpp"
#include "report/serve/site.hpp"
#include "version.hpp"

namespace jouletree::cli {
namespace {

struct ServeOptions {
  std::string place;
  std::string listen = "127.0.0.1:8417";
  std::optional<std::string> token;
  std::optional<std::string> token_file;
};

constexpr std::uint16_t kUsualPort = 8417;
constexpr const char* kTokenVariable = "JOULETREE_TOKEN";
constexpr const char* kServeFooter =
    "Examples:\n"
    "  jouletree serve profiles\n"
    "  jouletree serve results.sqlite --listen 8000\n"
    "  jouletree serve profiles --listen 0.0.0.0:8417 --token-file token.txt\n"
    "\n"
    "Shows all results below a folder, newest first, or the models and campaigns of a database.\n"
    "Each has the page that 'jouletree report' writes; pages that are open follow what a run, a "
    "sweep\n"
    "or a campaign adds. Nothing is written. Only this machine is answered, unless --listen says\n"
    "otherwise: then with a token, which is made where neither --token-file, JOULETREE_TOKEN nor\n"
    "--token gives one. SIGINT and SIGTERM end the server.";

/// A token, and where it came from.
struct GivenToken {
  std::string text;
  std::string origin;
};

std::string first_line_of(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("--token-file {}: {}; write a token into its first line", file,
                            in.is_open() ? "is empty" : "cannot be read"));
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

GivenToken given_token(const ServeOptions& options) {
  if (options.token) return {*options.token, "--token"};
  if (options.token_file)
    return {first_line_of(*options.token_file), "--token-file " + *options.token_file};
  const char* const variable = std::getenv(kTokenVariable);  // NOLINT(concurrency-mt-unsafe)
  return variable == nullptr ? GivenToken{} : GivenToken{variable, kTokenVariable};
}

/// One that others can use where we listen on all addresses.
std::string address_text(const report::ListenAddress& address) {
  if (address.host != "0.0.0.0" && address.host != "::") return address.text();
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return address.text();
  return fmt::format("{}:{}", name.data(), address.port);
}

void serve(const ServeOptions& options) {
  // All that can be wrong is looked at before anything is begun.
  report::require_http_server();
  static_cast<void>(report::page_parts());
  const report::ListenAddress wanted = report::parse_listen_address(options.listen, kUsualPort);
  GivenToken token = given_token(options);
  if (!token.origin.empty()) report::check_token(token.text, token.origin);
  const report::ServedPlace place = report::served_place(options.place);
  const bool is_made = token.origin.empty() && !wanted.is_loopback;
  if (is_made) token.text = report::new_token();

  const StopSignals stop;
  auto server = report::open_http_server(wanted);
  const report::ListenAddress address = server->address();
  report::Site site(place, report::Access(address, token.text),
                    fmt::format("jouletree {}", kVersion));
  server->start([&](const report::HttpRequest& request) { return site.answer(request); });
  if (!address.is_loopback) {
    say("warning: the connection is not encrypted; whoever can listen to it learns the token");
  }
  say(fmt::format("serving {} at http://{}/{}{}", place.name, address_text(address),
                  is_made ? fmt::format("?{}={}", report::kTokenName, token.text) : "",
                  token.origin.empty() ? "" : ", with the token of " + token.origin));
  while (server->is_running() && !stop.came_within_a_second()) continue;
  const bool ended_by_itself = !server->is_running();
  site.stop();
  server.reset();  // Its threads use the site.
  if (ended_by_itself) throw report::no_longer_listening(address);
}

}  // namespace

void add_serve(CLI::App& app) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command =
      app.add_subcommand("serve", "Show results in a browser, live while they are measured");
  command->footer(kServeFooter);
  command
      ->add_option("place", options->place,
                   "Folder with results at any depth, or a database: FILE, sqlite:FILE, "
                   "postgresql://…")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("--listen", options->listen,
                   "Where to listen: 127.0.0.1:8417 (default), 8417, [::1]:8417, 0.0.0.0:8417 for "
                   "all who reach this machine and have the token; port 0 takes a free one")
      ->type_name("ADDRESS:PORT");
  command
      ->add_option("--token-file", options->token_file,
                   "Ask for the token in the first line of this file")
      ->type_name("FILE");
  command
      ->add_option("--token", options->token,
                   "Ask for this token. Other users of this machine can see it in the list of "
                   "processes: better use --token-file, or JOULETREE_TOKEN in the environment")
      ->type_name("TEXT");
  command->callback([options] { serve(*options); });
}

}  // namespace jouletree::cli
