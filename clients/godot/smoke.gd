extends Node
## Finds out whether the wire suits Godot. User arguments: the url of a bridge, if a talk is wanted.

const FIXTURES := "res://fixtures"

var _failed := 0


func _ready() -> void:
	for file in DirAccess.get_files_at(FIXTURES):
		if file.ends_with(".msgpack"):
			_fixture(file)
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


func _check(ok: bool, what: String, detail: String) -> void:
	_failed += 0 if ok else 1
	print("%s %s %s" % [what, "OK" if ok else "BAD", detail])
