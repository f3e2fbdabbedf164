# Lights, cameras and user properties: listed, compared, written where there is a place for them; and whose habits a file has.
. "$CLI/lib.sh"
scene() {
    cat <<END
; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
	SceneInfo: "SceneInfo::GlobalInfo", "UserData" {
		Properties70:  {
			P: "Original|ApplicationName", "KString", "", "", "Maya"
			P: "Original|ApplicationVersion", "KString", "", "", "2023"
		}
	}
}
GlobalSettings:  {
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",1
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",2
		P: "FrontAxisSign", "int", "Integer", "",1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
	}
}
Objects:  {
	NodeAttribute: 1, "NodeAttribute::Lamp", "Light" {
		TypeFlags: "Light"
		Properties70:  {
			P: "Color", "Color", "", "A",1,0.5,0.25
			P: "LightType", "enum", "", "",2
			P: "Intensity", "Number", "", "A",$1
			P: "InnerAngle", "Number", "", "A",30
			P: "OuterAngle", "Number", "", "A",45
		}
	}
	NodeAttribute: 2, "NodeAttribute::Eye", "Camera" {
		TypeFlags: "Camera"
		Properties70:  {
			P: "AspectWidth", "double", "Number", "",200
			P: "AspectHeight", "double", "Number", "",100
			P: "ApertureMode", "enum", "", "",2
			P: "FieldOfView", "FieldOfView", "", "A",90
			P: "NearPlane", "double", "Number", "",0.5
			P: "FarPlane", "double", "Number", "",50
		}
	}
	Model: 3, "Model::Lamp", "Light" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",1,2,3
			P: "hp", "int", "Integer", "AU",7
			P: "currentUVSet", "KString", "", "U", "map1"
		}
	}
	Model: 4, "Model::Eye", "Camera" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0
		}
	}
	Geometry: 5, "Geometry::Tri", "Mesh" {
		Vertices: *9 {
			a: 0,0,0,1,0,0,0,1,0
		}
		PolygonVertexIndex: *3 {
			a: 0,1,-3
		}
	}
	Model: 6, "Model::Tri", "Mesh" {
	}
}
Connections:  {
	C: "OO",1,3
	C: "OO",2,4
	C: "OO",5,6
	C: "OO",3,0
	C: "OO",4,0
	C: "OO",6,0
}
END
}
scene 200 > a.fbx
scene 300 > b.fbx
"$GOMKIT" info a.fbx | sed -n '/^profile/p; /^lights/,/^skeleton/p; /^not held/,$p'
"$GOMKIT" info a.fbx --json > i.json
json i.json 'd["source"]["profile"], d["lights"][0]["kind"], d["lights"][0]["position"], d["cameras"][0]["near"], d["cameras"][0]["size"], d["userProperties"]'
"$GOMKIT" diff a.fbx a.fbx
exits 1 "$GOMKIT" diff a.fbx b.fbx
"$GOMKIT" convert a.fbx --explain | sed -n 3p
"$GOMKIT" convert a.fbx --explain --profile none | sed -n 3p
"$GOMKIT" convert a.fbx -o a.gom --json > c.json
json c.json '[(l["kind"], l["count"]) for l in d["lost"]]'
"$GOMKIT" convert a.fbx -o n.gom --profile none --json > c.json
json c.json '[(l["kind"], l["count"]) for l in d["lost"]]'
"$GOMKIT" convert a.fbx -o a.mv1 --json > c.json
json c.json '[(l["kind"], l["count"]) for l in d["lost"]]'
"$GOMKIT" dump a.mv1 | grep -o 'light\[0\].*Range.*'
"$GOMKIT" check a.mv1 | tail -n 1
exits 2 "$GOMKIT" convert a.fbx -o x.gom --profile painter 2>&1
exits 4 "$GOMKIT" convert a.gom -o x.gom --profile maya 2>&1
