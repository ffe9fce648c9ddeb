# Finds what makes the page of reports from web/: JOULETREE_NODE, JOULETREE_PAGE_TOOLS (a file that is there when
# all packages are).
set(page_tools ${PROJECT_SOURCE_DIR}/web/node_modules/.complete)
unset(JOULETREE_PAGE_TOOLS)
if(JOULETREE_WEB STREQUAL "AUTO" OR JOULETREE_WEB)
  find_program(JOULETREE_NODE NAMES node nodejs)
  if(JOULETREE_NODE AND EXISTS ${page_tools})
    set(JOULETREE_PAGE_TOOLS ${page_tools})
  elseif(JOULETREE_WEB STREQUAL "AUTO")
    message(STATUS "the packages of web/ are not there: no 'jouletree report' (run scripts/fetch-page.sh)")
  else()
    message(FATAL_ERROR "JOULETREE_WEB is ON, but Node.js or the packages of web/ are missing: run "
      "scripts/fetch-page.sh")
  endif()
endif()
