#include "store/database/campaign_queue.hpp"

#include <array>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "database/test_database.hpp"
#include "jouletree/error.hpp"

namespace jouletree::store {
namespace {

using sql::Dialect;
using testing::IsEmpty;
using testing::SizeIs;
using State = ItemStatus::State;

/// Of another machine, so that nobody can tell whether it runs.
Worker far_worker(int number) { return {"node" + std::to_string(number), "elsewhere", number, 1}; }

class CampaignQueueTest : public testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    if (const std::string missing = place_.missing(); !missing.empty()) GTEST_SKIP() << missing;
    database_ = open();
  }

  std::unique_ptr<Database> open() {
    return std::make_unique<Database>(place_.open(), sql::Access::Create);
  }

  CampaignQueue queue(Database& database, const Worker& worker,
                      std::chrono::seconds lease = std::chrono::seconds(60)) {
    return {database, "plan", worker, lease};
  }

  /// As a profile would be kept: one row of which there must be one.
  Id keep_source(const ClaimedItem& item) {
    SourceRecord source;
    source.format = "profile";
    source.name = item.label;
    source.content_key = item.label;
    return database_->add(source);
  }

  std::vector<State> states() {
    std::vector<State> states;
    for (const ItemStatus& item : campaign_status(*database_, "plan")->items)
      states.push_back(item.state);
    return states;
  }

  std::int64_t sources() {
    const auto rows = database_->connection().query("SELECT count(*) FROM sources", {});
    rows->next();
    return std::get<std::int64_t>(rows->value(0));
  }

  test::TestDatabase place_{GetParam()};
  std::unique_ptr<Database> database_;
  const std::vector<QueuedItem> two_ = {{"first", "1"}, {"second", "2"}};
};

INSTANTIATE_TEST_SUITE_P(Databases, CampaignQueueTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql),
                         [](const auto& dialect) {
                           return dialect.param == Dialect::Sqlite ? "Sqlite" : "Postgresql";
                         });

TEST_P(CampaignQueueTest, HandsOutEachItemOnceInTheOrderOfThePlan) {
  CampaignQueue own = queue(*database_, far_worker(1));
  own.prepare("text", two_);

  const auto first = own.claim();
  const auto second = own.claim();

  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->label, "first");
  EXPECT_EQ(second->spec, "2");
  EXPECT_FALSE(own.claim());
}

TEST_P(CampaignQueueTest, KeepsWhatIsDoneWhenThePlanChanges) {
  CampaignQueue own = queue(*database_, far_worker(1));
  own.prepare("text", two_);
  const auto first = own.claim();
  ASSERT_TRUE(own.finish(*first, 1, "{}", [&] { return keep_source(*first); }));

  const std::vector<QueuedItem> changed = {{"first", "1"}, {"third", "3"}};
  const CampaignQueue::Changes changes = own.prepare("other text", changed);

  EXPECT_EQ(changes.added, 1);
  EXPECT_EQ(changes.dropped, 1);
  EXPECT_THAT(states(), testing::ElementsAre(State::Done, State::Waiting));
}

TEST_P(CampaignQueueTest, AnItemWhoseLeaseEndedIsFinishedByTheOtherWorkerOnly) {
  CampaignQueue slow = queue(*database_, far_worker(1), std::chrono::seconds(0));
  slow.prepare("text", {two_.data(), 1});
  const auto before = slow.claim();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto other_connection = open();
  CampaignQueue quick = queue(*other_connection, far_worker(2));

  const auto after = quick.claim();

  ASSERT_TRUE(before && after);
  EXPECT_EQ(after->id, before->id);
  EXPECT_EQ(after->attempt, 2);
  EXPECT_FALSE(slow.renew(*before));
  EXPECT_FALSE(slow.finish(*before, 1, "{}", [&] { return keep_source(*before); }));
  EXPECT_EQ(sources(), 0);
  EXPECT_TRUE(quick.finish(*after, 1, "{}", [&] {
    SourceRecord source;
    source.name = source.content_key = "kept";
    source.format = "profile";
    return other_connection->add(source);
  }));
  EXPECT_EQ(sources(), 1);
}

TEST_P(CampaignQueueTest, ALeaseThatIsRenewedHolds) {
  CampaignQueue own = queue(*database_, far_worker(1), std::chrono::seconds(1));
  own.prepare("text", {two_.data(), 1});
  const auto item = own.claim();
  const auto other_connection = open();
  CampaignQueue other = queue(*other_connection, far_worker(2));
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ASSERT_TRUE(own.renew(*item));
  }
  EXPECT_FALSE(other.claim());
}

TEST_P(CampaignQueueTest, AProcessOfThisMachineThatIsGoneNeedsNoEndOfItsLease) {
  Worker gone = Worker::self();
  gone.started += 1;
  CampaignQueue killed = queue(*database_, gone);
  killed.prepare("text", {two_.data(), 1});
  ASSERT_TRUE(killed.claim());
  EXPECT_TRUE(campaign_status(*database_, "plan")->items[0].lost);

  CampaignQueue own = queue(*database_, Worker::self());

  EXPECT_TRUE(own.claim());
  EXPECT_FALSE(own.claim());
  EXPECT_FALSE(campaign_status(*database_, "plan")->items[0].lost);
}

TEST_P(CampaignQueueTest, AFailedItemWaitsUntilItIsRetried) {
  CampaignQueue own = queue(*database_, far_worker(1));
  own.prepare("text", {two_.data(), 1});
  own.fail(*own.claim(), "no such operator", 2);
  EXPECT_FALSE(own.claim());
  EXPECT_EQ(campaign_status(*database_, "plan")->items[0].reason, "no such operator");

  EXPECT_EQ(own.retry_failed(), 1);

  EXPECT_EQ(own.claim()->attempt, 2);
}

TEST_P(CampaignQueueTest, KeepsNothingOfAnItemWhoseRowsCannotBeKept) {
  CampaignQueue own = queue(*database_, far_worker(1));
  own.prepare("text", {two_.data(), 1});
  const auto item = own.claim();

  EXPECT_THROW(own.finish(*item, 1, "{}",
                          [&]() -> Id {
                            keep_source(*item);
                            throw Error(ErrorKind::Failed, "the disk is full");
                          }),
               Error);

  EXPECT_EQ(sources(), 0);
  EXPECT_THAT(states(), testing::ElementsAre(State::Running));
  own.release(*item);
  EXPECT_EQ(own.counts().waiting, 1);
}

TEST_P(CampaignQueueTest, ManyWorkersAtOnceClaimEachItemExactlyOnce) {
  constexpr int kWorkers = 4;
  constexpr int kItems = 60;
  std::vector<QueuedItem> items;
  for (int i = 0; i < kItems; ++i) items.push_back({std::to_string(i), std::to_string(i)});
  queue(*database_, far_worker(0)).prepare("text", items);
  std::array<std::vector<Id>, kWorkers> claimed;

  std::vector<std::thread> workers;
  for (int number = 0; number < kWorkers; ++number) {
    workers.emplace_back([&, number] {
      const auto connection = open();
      CampaignQueue own = queue(*connection, far_worker(number));
      while (const auto item = own.claim())
        claimed[static_cast<std::size_t>(number)].push_back(item->id);
    });
  }
  for (std::thread& worker : workers) worker.join();

  std::multiset<Id> all;
  for (const auto& ids : claimed) all.insert(ids.begin(), ids.end());
  EXPECT_THAT(all, SizeIs(kItems));
  EXPECT_THAT(std::set<Id>(all.begin(), all.end()), SizeIs(kItems));
}

TEST_P(CampaignQueueTest, WhatIsDoneCanBeMeasuredAgain) {
  CampaignQueue own = queue(*database_, far_worker(1));
  own.prepare("text", two_);
  const auto item = own.claim();
  ASSERT_TRUE(own.finish(*item, 1, "{}", [&] { return keep_source(*item); }));
  const ItemStatus done = campaign_status(*database_, "plan").value().items.front();

  EXPECT_TRUE(own.measure_again(done));
  EXPECT_FALSE(own.measure_again(done)) << "it waits already";

  EXPECT_EQ(own.counts().waiting, 2);
  EXPECT_EQ(own.claim()->attempt, 2);
}

TEST_P(CampaignQueueTest, TwoCampaignsShareADatabase) {
  CampaignQueue own = queue(*database_, far_worker(1));
  CampaignQueue other(*database_, "other", far_worker(1), std::chrono::seconds(60));
  own.prepare("text", two_);
  other.prepare("text", two_);

  EXPECT_EQ(other.claim()->label, "first");

  EXPECT_EQ(own.counts().waiting, 2);
  EXPECT_EQ(other.counts().waiting, 1);
  EXPECT_THAT(campaign_names(*database_), SizeIs(2));
}

TEST(Worker, KnowsItselfAgainFromItsText) {
  const auto worker = Worker::parse(Worker::self().text());
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->pid, ::getpid());
  EXPECT_FALSE(worker->is_gone());
  EXPECT_FALSE(Worker::parse("nonsense"));
}

}  // namespace
}  // namespace jouletree::store
