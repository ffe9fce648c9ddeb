#include "jouletree/error.hpp"
#include "report/page/page_parts.hpp"

namespace jouletree::report {

PageParts page_parts() {
  throw Error(ErrorKind::Missing,
              "this program was built without the page of reports; install Node.js, run "
              "'scripts/fetch-page.sh', and build again");
}

}  // namespace jouletree::report
