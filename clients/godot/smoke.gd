extends Node
## Finds out whether the wire suits Godot. User arguments: the url of a bridge, if a talk is wanted.

const FIXTURES := "res://fixtures"
const REFUSED := "res://fixtures/bad"
## More than Godot would queue by itself.
const BURST := 5000
## Frames of the game that are waited for what should come at once.
const PATIENCE := 10000

var _failed := 0


func _ready() -> void:
	for file in DirAccess.get_files_at(FIXTURES):
		if file.ends_with(".msgpack"):
			_fixture(file)
	for file in DirAccess.get_files_at(REFUSED):
		_refused(file)
	_odd_texts()
	var arguments := OS.get_cmdline_user_args()
	if arguments.size() > 0:
		await _talk(arguments[0])
	print("SMOKE OK" if _failed == 0 else "SMOKE FAILED %d" % _failed)
	get_tree().quit(_failed)


func _fixture(file: String) -> void:
	var bytes := FileAccess.get_file_as_bytes(FIXTURES.path_join(file))
	var decoder := NpcMsgpack.decoder(bytes)
	var value: Variant = decoder.read()
	_check(not decoder.error and NpcMsgpack.encode(value) == bytes, "FIXTURE", file + decoder.error)


func _refused(file: String) -> void:
	var decoder := NpcMsgpack.decoder(FileAccess.get_file_as_bytes(REFUSED.path_join(file)))
	var value: Variant = decoder.read()
	_check(decoder.error or not value is Dictionary, "REFUSED", file)


func _odd_texts() -> void:
	var nul: Variant = NpcMsgpack.decoder(PackedByteArray([0xa4, 0x61, 0, 0x62, 0])).read()
	_check(nul == "a\ufffdb\ufffd", "NUL", str(nul))
	var marked := PackedByteArray([0xa4, 0xef, 0xbb, 0xbf, 0x62])
	var text: Variant = NpcMsgpack.decoder(marked).read()
	_check(NpcMsgpack.encode(text) == marked, "BYTE ORDER MARK", "")
	var endless := {}
	endless["in"] = endless
	for value: Variant in [NAN, -INF, Vector2.ONE, {1: 2}, [self], endless]:
		_check(NpcMsgpack.encode(value).is_empty(), "NOT CARRIED", type_string(typeof(value)))
	endless.clear()


func _talk(url: String) -> void:
	var bridge := NpcBridge.new()
	add_child(bridge)
	var welcome := await bridge.open(url, "godot smoke")
	_check(welcome.type == "welcome", "HELLO", str(welcome.get("world")))
	var words: PackedStringArray = []
	var line := "Good evening 🐺, how is the king?"
	var heard := func(text: String) -> void: words.append(text)
	var reply := await bridge.talk("marta", "p1", line, heard)
	_check(words.size() > 0 and "".join(words) == reply.get("say"), "TALK", "".join(words))
	_check((await bridge.request("ping")).type == "pong", "PING", "")
	var refused := await bridge.talk("nobody", "p1", "Hi")
	_check(refused.get("code") == "unknown_id" and refused.hint, "ERROR", refused.get("message"))
	var seen := await bridge.request("explain", {"audit": reply.get("audit")})
	_check("🐺" in seen.get("prompt", ""), "EXPLAIN", "")
	await _rough(bridge, url)


func _rough(bridge: NpcBridge, url: String) -> void:
	var where := {"kind": "k", "text": "t", "data": {"where": Vector2.ONE}}
	_check((await bridge.request("observe", where)).get("code") == "bad_frame", "MISTAKE", "")
	var got := []
	get_tree().paused = true
	_ask(bridge, "ping", {}, got)
	await _come(got, 1)
	get_tree().paused = false
	_check(got == ["pong"], "PAUSED", str(got))
	got = []
	for each in BURST:
		_ask(bridge, "ping", {}, got)
	await _come(got, BURST)
	_check(got.count("pong") == BURST, "BURST", str(got.size()))
	got = []
	_ask(bridge, "talk", {"npc": "brann", "player": "p1", "text": "And now?"}, got)
	bridge.close()
	await _come(got, 1)
	_check(got == ["connection_lost"] or got == ["reply"], "LOST", str(got))
	_check((await bridge.request("ping")).get("code") == "connection_lost", "CLOSED", "")
	_check((await bridge.open(url, "godot smoke")).type == "welcome", "AGAIN", "")


func _ask(bridge: NpcBridge, type: String, fields: Dictionary, got: Array) -> void:
	var answer := await bridge.request(type, fields)
	got.append(answer.get("code", answer.type))


func _come(got: Array, count: int) -> void:
	for frame in PATIENCE:
		if got.size() >= count:
			break
		await get_tree().process_frame


func _check(ok: bool, what: String, detail: String) -> void:
	_failed += 0 if ok else 1
	print("%s %s %s" % [what, "OK" if ok else "BAD", detail])
