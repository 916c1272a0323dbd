#include "core/io/pickle.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "core/io/json.h"
#include "tests/core/io/documents.h"
#include "tests/core/io/reading.h"
#include "tests/core/io/toy_dumps.h"

using namespace stowage;
using namespace stowage::testing;
using namespace std::string_literals;

namespace {

std::string little_endian(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

/// What Python's pickler makes of a JSON text, as far as this needs it.
class Pickler {
 public:
  Pickler(int protocol) : protocol_(protocol) {}

  std::string run(json::Value root) {
    add(root);
    std::string head = "\x80"s + static_cast<char>(protocol_);
    if (protocol_ >= 4) head += "\x95" + little_endian(out_.size() + 1, 8);
    return head + out_ + ".";
  }

 private:
  void remember() {
    if (protocol_ >= 4) {
      out_ += '\x94';
    } else {
      out_ += (memo_ < 256 ? "q" : "r") + little_endian(memo_, memo_ < 256 ? 1 : 4);
    }
    ++memo_;
  }
  void add_text(const std::string& text) {
    out_ += protocol_ >= 4 ? "\x8C" + little_endian(text.size(), 1) : "X" + little_endian(text.size(), 4);
    out_ += text;
    remember();
  }
  void add(json::Value value) {
    if (value.kind() == json::Kind::kObject) {
      out_ += "}";
      remember();
      out_ += "(";
      json::Members members(value);
      while (const auto member = members.next()) {
        add_text(member->key);
        add(member->value);
      }
      out_ += "u";
    } else if (value.kind() == json::Kind::kArray) {
      out_ += "]";
      remember();
      out_ += "(";
      json::Elements elements(value);
      while (const auto element = elements.next()) add(*element);
      out_ += "e";
    } else if (value.kind() == json::Kind::kString) {
      add_text(json::decode(value));
    } else {
      const std::uint64_t number = json::to_uint64(value).value_or(0);
      if (number < 256) {
        out_ += "K" + little_endian(number, 1);
      } else if (number < 65536) {
        out_ += "M" + little_endian(number, 2);
      } else {
        out_ += "\x8A\x09" + little_endian(number, 8) + '\0';
      }
    }
  }

  int protocol_;
  std::string out_;
  std::uint64_t memo_ = 0;
};

std::string pickled(const std::string& json, int protocol) {
  REQUIRE_FALSE(json::validate(json).has_value());
  return Pickler(protocol).run(json::root(json));
}

ReadOptions choose_older() {
  ReadOptions options;
  options.choices["older"] = "on";
  return options;
}

std::string refusal(const std::string& bytes) {
  ValueTree tree;
  const auto value = read_pickle(bytes, tree);
  REQUIRE_FALSE(value.has_value());
  return value.error().message;
}

}  // namespace

TEST_CASE("pickle: a snapshot in protocols 2 to 5 and as JSON is one and the same") {
  const Document from_json = read_good(toy_snapshot(), {}, "s.json");
  for (const int protocol : {2, 3, 4, 5}) {
    CAPTURE(protocol);
    const Document document = read_good(pickled(toy_snapshot(), protocol), {}, "s.pickle");
    REQUIRE(document.problem->size() == from_json.problem->size());
    CHECK(document.plans.at(0).offsets == from_json.plans.at(0).offsets);
    for (BufferIndex i = 0; i < document.problem->size(); ++i) {
      CHECK(document.problem->id(i) == from_json.problem->id(i));
      CHECK((*document.problem)[i].start == (*from_json.problem)[i].start);
      CHECK((*document.problem)[i].end == (*from_json.problem)[i].end);
    }
    CHECK(document.problem->details(0)->source == "model.py:7");
    CHECK(document.problem->details(0)->op == "forward");
  }
}

TEST_CASE("pickle: cut off or changed at any byte it still opens or says why not") {
  const std::string bytes = pickled(toy_snapshot(), 4);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    (void)read_document(std::string_view(bytes).substr(0, at), "s.pickle", {});
    for (const char other : {'\xFF', '\0', 'R', '(', '\x8D', 'j'}) {
      std::string changed = bytes;
      changed[at] = other;
      const auto document = read_document(changed, "s.pickle", {});
      if (!document) CHECK_FALSE(document.error().message.empty());
    }
  }
}

TEST_CASE("pickle: whatever would run code is refused by name, and nothing runs") {
  CHECK(refusal("\x80\x04"s + "cos\nsystem\n(S'true'\ntR.").find("GLOBAL os.system") != std::string::npos);
  CHECK(refusal("\x80\x04\x8C\x02os\x8C\x06system\x93."s).find("STACK_GLOBAL os.system") != std::string::npos);
  const std::pair<std::string, const char*> codes[] = {
      {"R", "REDUCE"},  {"b", "BUILD"},  {"o", "OBJ"},       {"\x81", "NEWOBJ"}, {"\x92", "NEWOBJ_EX"},
      {"\x82", "EXT1"}, {"P", "PERSID"}, {"Q", "BINPERSID"}, {"i", "INST"},      {"\x97", "NEXT_BUFFER"}};
  for (const auto& [code, name] : codes) {
    CHECK(refusal("\x80\x04" + code + "xx\nyy\n.").find(name) != std::string::npos);
  }
  CHECK(refusal("\x80\x06N."s).find("protocol 6") != std::string::npos);
}

TEST_CASE("pickle: counts are compared with what is left before anything is made") {
  CHECK(refusal("\x80\x04\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F."s).find("are left") != std::string::npos);
  CHECK(refusal("\x80\x04X\xFF\xFF\xFF\xFF."s).find("are left") != std::string::npos);
  CHECK(refusal("\x80\x04\x8B\xFF\xFF\xFF\xFF."s).find("are left") != std::string::npos);
  CHECK(refusal("\x80\x04\x95\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFFN."s).find("are left") != std::string::npos);
  CHECK(refusal("\x80\x04j\xFF\xFF\xFF\xFF."s).find("never there") != std::string::npos);
  CHECK(refusal("\x80\x04"s).find("breaks off") != std::string::npos);
  CHECK(refusal("\x80\x04."s).find("nothing") != std::string::npos);
  CHECK(refusal("\x80\x04]K\x01K\x02s."s).find("container") != std::string::npos);
  CHECK(refusal("\x80\x04]e."s).find("did not begin") != std::string::npos);
}

TEST_CASE("pickle: millions of nested lists cost no stack") {
  std::string bytes = "\x80\x04"s;
  for (int i = 0; i < 300'000; ++i) bytes += "](";
  bytes += '.';
  ValueTree tree;
  CHECK(read_pickle(bytes, tree).has_value());
}

TEST_CASE("pickle: numbers of any length") {
  ValueTree tree;
  const auto number = [&](const std::string& bytes) {
    return *read_pickle("\x80\x02" + bytes + ".", tree);
  };
  CHECK(tree.to_uint64(number("\x8A\x09\x05\0\0\0\0\0\0\x80\0"s)) == 0x8000000000000005ULL);
  CHECK(tree.to_int64(number("\x8A\x08\0\0\0\0\0\0\0\x80"s)) == kMinInt64);
  CHECK(tree.to_int64(number("\x8A\x01\xFF"s)) == -1);
  CHECK(tree.to_int64(number("\x8A\0"s)) == 0);
  CHECK(tree.to_int64(number("J\xFE\xFF\xFF\xFF"s)) == -2);
  CHECK(tree.to_int64(number("\x8A\x08\0\0\0\0\0\0\0\x40"s)) == std::int64_t{1} << 62);
  CHECK(number("\x8A\x0A\0\0\0\0\0\0\0\0\0\x01"s).kind() == ValueTree::Kind::kNoInteger);
}

TEST_CASE("snapshot: addresses at or above 2^63, several devices, segments as spaces") {
  const std::string text =
      R"({"segments":[{"device":1,"address":18446603336221196288,"total_size":2048,"blocks":[
{"address":18446603336221196288,"size":512,"state":"active_allocated"}]}],
"device_traces":[[{"action":"alloc","addr":512,"size":100}],
[{"action":"alloc","addr":18446603336221196288,"size":512},{"action":"free_requested","addr":18446603336221196288,"size":512},
{"action":"segment_alloc","addr":1,"size":1},{"action":"free_completed","addr":18446603336221196288,"size":512}]]})";
  const Document both = read_good(text, {}, "s.json");
  REQUIRE(both.problem->spaces().size() == 2);
  CHECK(both.problem->spaces()[1].base == 0xFFFF800000000000ULL);
  CHECK(both.plans.at(0).offsets == std::vector<std::int64_t>{0, 0});
  CHECK(both.problem->details(1)->extra == "{\"free_requested\":1}");
  ReadOptions options;
  options.choices = {{"device", "1"}, {"spaces", "segments"}, {"sizes", "rounded"}};
  const Document one = read_good(text, options, "s.json");
  REQUIRE(one.problem->size() == 1);
  CHECK(one.problem->spaces()[0].id == "device 1, segment 0xffff800000000000");
  options.choices = {{"sizes", "rounded"}, {"device", "0"}};
  const Document rounded = read_good(text, options, "s.json");
  CHECK((*rounded.problem)[0].size == 512);
  CHECK(rounded.problem->details(0)->requested == 100);
  options.choices = {{"device", "7"}};
  const auto none = read_document(text, "s.json", options);
  REQUIRE_FALSE(none.has_value());
  CHECK(none.error().kind == Error::Kind::kUsage);
}

TEST_CASE("snapshot: blocks that the trace never names are shown when asked for, or when there is no trace") {
  const std::string segments =
      R"({"segments":[{"device":0,"address":0,"total_size":2048,"blocks":[{"size":512,"state":"active_pending_free"},
{"size":1024,"state":"inactive"},{"size":512,"requested_size":500,"state":"active_awaiting_free"}]}],"device_traces":[[)";
  const std::string trace = R"({"action":"alloc","addr":1024,"size":8})";
  const Document without = read_good(segments + trace + "]]}", {}, "s.json");
  CHECK(without.problem->size() == 1);
  CHECK(has_warning(without, "2 blocks"));
  ReadOptions options;
  options.choices["older"] = "on";
  const Document with = read_good(segments + trace + "]]}", options, "s.json");
  REQUIRE(with.problem->size() == 3);
  CHECK(with.problem->details(0)->open_start);
  CHECK(with.problem->details(0)->open_end);
  CHECK(with.plans.at(0).offsets == std::vector<std::int64_t>{0, 1536, 1024});
  CHECK(read_good(segments + "]]}", {}, "s.json").problem->size() == 2);
}

TEST_CASE("snapshot: addresses may be texts, in hexadecimal or not") {
  const Document document = read_good(R"({"segments":[{"device":0,"address":"0x1000","total_size":4096,"blocks":[
{"address":"0x1800","size":256,"state":"active_allocated"}]}],"device_traces":[[
{"action":"alloc","addr":"0x1000","size":64},{"action":"alloc","addr":"0X1200","size":64},
{"action":"free_completed","addr":"4096","size":"64"},{"action":"alloc","addr":"elsewhere","size":64}]]})",
                                      choose_older(), "s.json");
  REQUIRE(document.problem->size() == 3);
  CHECK(document.problem->spaces()[0].base == 0x1000);
  CHECK(document.plans.at(0).offsets == std::vector<std::int64_t>{0x800, 0, 0x200});
  CHECK((*document.problem)[1].end == 2);
  CHECK(document.facts.left_out == 1);
}

TEST_CASE("snapshot: the bytes may go before the document is made, and stacks are kept as one frame") {
  std::string bytes = pickled(toy_snapshot(), 4);
  const Document wanted = read_good(bytes, {}, "s.pickle");
  ReadOptions options;
  int released = 0;
  options.release = [&] {
    ++released;
    bytes.assign(bytes.size(), 'x');
  };
  const auto document = read_document(bytes, "s.pickle", options);
  REQUIRE(document.has_value());
  CHECK(released == 1);
  CHECK(full_difference(wanted, *document) == "");
  CHECK(document->problem->details(0)->source == "model.py:7");
}

TEST_CASE("snapshot: buffers that come from one place share what is said of it, until one of them is edited") {
  const std::string frames = R"("frames":[{"filename":"f.py","line":3,"name":"forward"}],)";
  const Document document = read_good(
      R"({"segments":[],"device_traces":[[{"action":"alloc",)" + frames +
          R"("addr":512,"size":64},{"action":"alloc",)" + frames + R"("addr":1024,"size":32},{"action":"alloc",)" +
          frames +
          R"("addr":2048,"size":8},{"action":"free_completed","addr":1024,"size":32},)"
          R"({"action":"free_completed","addr":512,"size":64},{"action":"free_completed","addr":2048,"size":8}]]})",
      {}, "x.json");
  const Problem& problem = *document.problem;
  REQUIRE(problem.size() == 3);
  REQUIRE(problem.input().details.size() == 1);
  CHECK(problem.details(1)->source == "f.py:3");
  const std::vector<Edit> edits = {edit::Hint{1, 4096}, edit::Remove{{0}}};
  const auto edited = apply_edits(problem, edits);
  REQUIRE(edited.has_value());
  REQUIRE(edited->problem.size() == 2);
  CHECK(edited->problem.details(0)->hint == 4096);
  CHECK(edited->problem.details(0)->op == "forward");
  CHECK_FALSE(edited->problem.details(1)->hint.has_value());
  CHECK(edited->problem.details(1)->op == "forward");
}

TEST_CASE("value trees: what is not to be kept costs nothing") {
  ValueTree tree;
  tree.keep_only({"a", "list"});
  tree.keep_of_lists([](std::span<const ValueTree::Value> items) { return items.last(1); });
  const ValueTree::Value root = read_json_tree(R"({"a":1,"b":[5,6],"list":[1,2,3],"b":2,"a":4})", tree);
  CHECK(tree.to_int64(tree.find(root, ValueTree::Key("a"))) == 4);
  CHECK(tree.find(root, ValueTree::Key("b")).kind() == ValueTree::Kind::kNull);
  const ValueTree::Value list = tree.find(root, ValueTree::Key("list"));
  CHECK(tree.size(list) == 1);
  tree.for_each(list, [&](ValueTree::Value item) {
    CHECK(tree.to_int64(item) == 3);
    return true;
  });
}

TEST_CASE("value trees: dicts that are equal share their values until one of them gets more") {
  ValueTree tree;
  const auto number = [&](std::int64_t value) {
    return tree.integer(value);
  };
  const ValueTree::Value a = tree.text("a"), b = tree.text("b");
  std::vector<ValueTree::Value> dicts;
  for (int i = 0; i < 3; ++i) {
    dicts.push_back(tree.dict());
    const ValueTree::Value pairs[] = {a, number(1), b, number(2)};
    tree.set(dicts.back(), pairs);
  }
  const ValueTree::Key key_a("a"), key_b("b");
  for (const int changed : {1, 0}) {
    const ValueTree::Value more[] = {a, number(7 + changed)};
    tree.set(dicts[static_cast<std::size_t>(changed)], more);
    tree.set(dicts[static_cast<std::size_t>(changed)], more);
  }
  CHECK(tree.to_int64(tree.find(dicts[0], key_a)) == 7);
  CHECK(tree.to_int64(tree.find(dicts[1], key_a)) == 8);
  CHECK(tree.to_int64(tree.find(dicts[2], key_a)) == 1);
  for (const ValueTree::Value dict : dicts) CHECK(tree.to_int64(tree.find(dict, key_b)) == 2);
}

TEST_CASE("snapshot: times in microseconds instead of positions") {
  const std::string text = R"({"device_traces":[[
 {"action":"alloc","addr":4096,"size":64,"time_us":1700000000000010},
 {"action":"alloc","addr":8192,"size":32,"time_us":1700000000000015},
 {"action":"free_completed","addr":4096,"size":64,"time_us":1700000000000030},
 {"action":"snapshot"}]]})";
  ReadOptions options;
  options.choices["time"] = "us";
  const Document document = read_good(text, options, "s.json");
  REQUIRE(document.problem->size() == 2);
  CHECK((*document.problem)[0].start == 0);
  CHECK((*document.problem)[0].end == 20);
  CHECK((*document.problem)[1].start == 5);
  CHECK((*document.problem)[1].end == 21);
  CHECK(document.problem->time_unit() == "us");
  const Document timeless = read_good(toy_snapshot(), options, "s.json");
  CHECK(has_warning(timeless, "no time_us"));
  CHECK(timeless.problem->time_unit() == "event");
}

TEST_CASE("JSON trees: integers that were written as doubles are integers as long as nothing was lost") {
  ValueTree tree;
  const auto number = [&](std::string_view text) {
    return tree.to_int64(read_json_tree(text, tree));
  };
  CHECK(number("64.0") == 64);
  CHECK(number("-1.5e1") == -15);
  CHECK(number("1E3") == 1000);
  CHECK(number("9007199254740992.0") == (std::int64_t{1} << 53));
  CHECK(number("9007199254740993") == (std::int64_t{1} << 53) + 1);
  CHECK_FALSE(number("9.3e15").has_value());
  CHECK_FALSE(number("0.5").has_value());
  CHECK_FALSE(number("1e999").has_value());
  CHECK(tree.to_double(read_json_tree("0.5", tree)) == 0.5);
  CHECK(tree.to_double(read_json_tree("3", tree)) == 3.0);
  CHECK_FALSE(tree.to_double(read_json_tree("1e999", tree)).has_value());
}
