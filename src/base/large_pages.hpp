#pragma once

namespace jouletree {

/// Lets what is allocated from now on lie in large pages, where the system has some. A program that
/// lives for milliseconds otherwise spends a good part of them on getting memory page by page. For
/// short commands: small allocations may take a few MiB more. Call it before there are threads.
void prefer_large_pages();

}  // namespace jouletree
