#include "campaign/model_content.hpp"

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "campaign/run_item.hpp"
#include "engines/engine_list.hpp"
#include "store/database/records.hpp"

namespace jouletree::campaign {

std::string content_of(const Item& item, const std::filesystem::path& folder) {
  if (item.kind != Item::Kind::File) return {};
  const std::filesystem::path file = folder / item.target;
  const std::int64_t bytes = engines::model_file(file).bytes;
  const MappedFile mapped(file);
  return fmt::format("{}:{:016x}", bytes,
                     static_cast<std::uint64_t>(store::content_id({mapped.bytes()})));
}

bool FileChanges::has_changed(const Item& item, const store::ItemStatus& done) {
  if (item.kind != Item::Kind::File) return false;
  const auto result = ItemResult::parse(done.result);
  if (!result || result->content.empty()) return false;
  auto known = contents_.find(item.target);
  if (known == contents_.end())
    known = contents_.emplace(item.target, content_of(item, folder_)).first;
  return known->second != result->content;
}

}  // namespace jouletree::campaign
